"""The tab that shows what the latest turn of the page loaded (ENTRY-22). The page has it; nothing is kept (ENTRY-25)."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from adminchat.accounts.access import UserRequest
from memory.views.access import place_of


@require_GET
@login_required
def loaded(request: UserRequest) -> HttpResponse:
    return render(request, "memory/loaded.html", {"place": place_of(request), "tab": "loaded"})
