"""The only reads of prompts. Each takes the tenant."""

from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import QuerySet

from adminchat.prompts.codes import Reference, parse
from adminchat.prompts.defaults import shipped
from adminchat.prompts.models import ActivePrompt, PromptChange, PromptVersion, Range, Score


@dataclass
class Shelf:
    """The versions of a range, the newest code first, those that come with AdminChat among them.

    ``active`` is the code that was put in force, or ""; ``earlier`` are those before it, the latest last.
    """

    range: Range
    versions: list[PromptVersion] = field(default_factory=list)
    active: str = ""
    earlier: list[str] = field(default_factory=list)

    def best(self, reference: Reference) -> PromptVersion | None:
        """What ``reference`` stands for (PROMPT-2): the active version, else the best scored, else the default.

        One whose model can't be asked is passed over, unless its full code was asked for. Where nothing else decides
        it is the newest code.
        """
        fitting = [version for version in self.versions if reference.fits(version.parsed_code)]
        usable = [version for version in fitting if version.is_usable or reference.code]
        return max(usable, key=self._rank, default=None)

    @property
    def in_force(self) -> PromptVersion | None:
        """The version that this range means now."""
        return self.best(Reference(self.range))

    @property
    def why(self) -> str:
        """Why the version in force is it: ``active``, ``score``, or ``shipped``."""
        if self.in_force and self.in_force.code == self.active:
            return "active"
        return "score" if self.in_force and self.in_force.score else "shipped"

    @property
    def active_version(self) -> PromptVersion | None:
        return next((version for version in self.versions if version.code == self.active), None)

    @property
    def before(self) -> str:
        """The code that rolling back leads to, or ""."""
        return self.earlier[-1] if self.earlier else ""

    def _rank(self, version: PromptVersion) -> tuple[object, ...]:
        score = version.score.value if version.score else -1.0
        return version.code == self.active, score, version.is_shipped, version.parsed_code


def shelves(tenant_id: UUID, *ranges: Range) -> list[Shelf]:
    """All ranges, or those given, in their order, without the texts of stored versions."""
    found = {each: Shelf(each) for each in ranges or Range}
    own = list(versions(tenant_id).filter(range__in=found).defer("text", "model__connection__api_key"))
    taken = {version.code for version in own}
    scores = {score.code: score for score in Score.objects.filter(tenant=tenant_id)}
    for version in own + [each for each in shipped() if each.code not in taken]:
        version.score = scores.get(version.code)
        if version.range in found:
            found[Range(version.range)].versions.append(version)
    for active in ActivePrompt.objects.filter(tenant=tenant_id, range__in=found):
        shelf = found[Range(active.range)]
        there = {version.code for version in shelf.versions}
        shelf.active = active.code
        shelf.earlier = [code for code in active.earlier if code in there]
    for each in found.values():
        each.versions.sort(key=lambda version: version.parsed_code, reverse=True)
    return list(found.values())


def shelf(tenant_id: UUID, range_name: str) -> Shelf:
    """One range. Raises ``ValueError`` for a name that is none."""
    return shelves(tenant_id, Range(range_name))[0]


def version(tenant_id: UUID, code: str) -> PromptVersion:
    """One version, stored or shipped, with its text and score. Raises ``PromptVersion.DoesNotExist``."""
    found = versions(tenant_id).filter(code=code).first()
    found = found or next((each for each in shipped() if each.code == code), None)
    if found is None:
        raise PromptVersion.DoesNotExist
    found.score = Score.objects.filter(tenant=tenant_id, code=code).first()
    return found


def versions(tenant_id: UUID) -> QuerySet[PromptVersion]:
    """The stored versions of the tenant, with their models and authors."""
    found = PromptVersion.objects.filter(tenant=tenant_id).select_related("model__connection", "author")
    return found.defer("model__connection__api_key").order_by("created_at")


def changes(tenant_id: UUID, range_name: str) -> QuerySet[PromptChange]:
    """What was done to the prompts of a range, the newest first."""
    return PromptChange.objects.filter(tenant=tenant_id, range=range_name).select_related("actor").order_by("-pk")


def taken_codes(tenant_id: UUID) -> list[str]:
    """Every code that was ever given, of deleted versions as well: none is given twice."""
    given = PromptChange.objects.filter(tenant=tenant_id).values_list("code", flat=True).distinct()
    return [*{*given, *versions(tenant_id).values_list("code", flat=True), *(each.code for each in shipped())}]


def is_code(text: str) -> bool:
    """Whether ``text`` has the form of a code."""
    try:
        parse(text)
    except ValueError:
        return False
    return True
