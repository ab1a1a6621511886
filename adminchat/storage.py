"""Where static files are served from."""

from servestatic.storage import CompressedManifestStaticFilesStorage

IMPORT = r"""(?P<matched>import(?P<names>[^"';]*)["'](?P<url>\./[^"']+)["'];)"""


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Names carry a hash of the content, in the imports of our script modules too: browsers may keep every file.

    Django's own ``support_js_module_import_aggregation`` would also read imports in the comments of vendored scripts.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", ((IMPORT, 'import%(names)s"%(url)s";'),)),
    )
