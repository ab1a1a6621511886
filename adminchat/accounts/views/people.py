"""The people of the tenant, managed by super administrators (CHAT-24)."""

from uuid import UUID

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from adminchat.accounts import people, selectors
from adminchat.accounts.access import UserRequest, super_admin_required
from adminchat.accounts.forms import PasswordForm, PersonCreateForm, PersonForm
from adminchat.accounts.models import User


@require_GET
@super_admin_required
def person_list(request: UserRequest) -> HttpResponse:
    found = selectors.people(request.user)
    return render(request, "accounts/people.html", {"people": found, "tenant": selectors.shown_tenant(request.user)})


@never_cache
@require_http_methods(["GET", "POST"])
@super_admin_required
def person_create(request: UserRequest) -> HttpResponse:
    form = PersonCreateForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        password = form.cleaned_data["password"] or people.generated_password()
        try:
            with transaction.atomic():
                person = people.create(request.user, **{**form.cleaned_data, "password": password})
        except IntegrityError:
            form.add_error("username", _("This username is taken. Choose another one."))
        else:
            return _password_shown(request, person, password)
    return render(request, "accounts/person_create.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@super_admin_required
def person_detail(request: UserRequest, person_id: UUID) -> HttpResponse:
    person = get_object_or_404(selectors.people(request.user), pk=person_id)
    form = PersonForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        try:
            people.change(request.user, person, **form.cleaned_data)
        except people.ChangeRefused as refusal:
            form.add_error("role", refusal.sentence)
        else:
            messages.success(request, _("Saved."))
            return redirect("accounts:person-list")
    person = selectors.person(request.user, person_id)  # the form has put its values into the other one
    context = {
        "form": form,
        "person": person,
        "may_change": people.may_change(request.user, person),
        "is_last": people.is_last_super_admin(person),
    }
    return render(request, "accounts/person.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@super_admin_required
def person_deactivate(request: UserRequest, person_id: UUID) -> HttpResponse:
    person = get_object_or_404(selectors.people(request.user), pk=person_id)
    refusal = None
    if request.method == "POST":
        try:
            people.deactivate(request.user, person)
        except people.ChangeRefused as refused:
            refusal = refused.sentence
        else:
            messages.success(request, _("%(name)s can no longer sign in.") % {"name": person.shown_name})
            return redirect("accounts:person-list")
    return render(
        request,
        "accounts/person_deactivate.html",
        {"person": person, "refusal": refusal},
        status=409 if refusal else 200,
    )


@require_POST
@super_admin_required
def person_reactivate(request: UserRequest, person_id: UUID) -> HttpResponse:
    person = get_object_or_404(selectors.people(request.user), pk=person_id)
    try:
        people.reactivate(request.user, person)
    except people.ChangeRefused as refusal:
        messages.error(request, refusal.sentence)
    else:
        messages.success(request, _("%(name)s can sign in again.") % {"name": person.shown_name})
    return redirect("accounts:person-list")


@never_cache
@require_http_methods(["GET", "POST"])
@super_admin_required
def person_password(request: UserRequest, person_id: UUID) -> HttpResponse:
    person = get_object_or_404(selectors.people(request.user), pk=person_id)
    if person == request.user:
        return redirect("account_change_password")
    form = PasswordForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        password = form.cleaned_data["password"] or people.generated_password()
        try:
            people.reset_password(request.user, person, password)
        except people.ChangeRefused as refusal:
            form.add_error(None, refusal.sentence)
        else:
            return _password_shown(request, person, password)
    return render(
        request,
        "accounts/person_password.html",
        {"form": form, "person": person},
        status=422 if form.is_bound else 200,
    )


def _password_shown(request: HttpRequest, person: User, password: str) -> HttpResponse:
    """The one page that ever shows the password; it is not stored anywhere, not even for a redirect."""
    return render(request, "accounts/person_password_shown.html", {"person": person, "password": password})
