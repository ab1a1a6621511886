// One module per behaviour. Everything works on the document, so that what arrives later needs no setting up.
import "./announce.js";
import "./channel.js";
import "./composer.js";
import "./copy.js";
import "./dialogs.js";
import "./fold.js";
import "./follow.js";
import "./forms.js";
import "./launcher.js";
import "./panel.js";
import "./requests.js";
import "./shortcuts.js";
import "./streams.js";
import "./theme.js";
import "./unsaved.js";
