// The translated words that scripts need: data attributes of #words.
const words = document.getElementById("words")?.dataset ?? {};

export default words;
