"""A session as a file (CHAT-11)."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from adminchat.accounts.access import UserRequest
from adminchat.accounts.limits import within
from chat import exports, limits, selectors
from chat.views.access import found

FORMATS = {
    "markdown": (exports.as_markdown, "md", "text/markdown; charset=utf-8"),
    "json": (exports.as_json, "json", "application/json"),
}


@require_GET
@login_required
def session_export(request: UserRequest, session_id: UUID) -> HttpResponse:
    """``?format=markdown`` (the default) or ``json``."""
    session = found(selectors.session, request.user, session_id)
    try:
        write, extension, content_type = FORMATS[request.GET.get("format", "markdown")]
    except KeyError:
        raise Http404 from None
    if not within(request.user, "export", limits.EXPORTS_PER_MINUTE):
        return render(request, "chat/limit.html", status=429)
    disposition = content_disposition_header(True, exports.file_name(session, extension))
    return HttpResponse(
        write(session),
        content_type=content_type,
        headers={"Content-Disposition": disposition or "attachment"},
    )
