"""What stands in the screenshots: an administrator's week, in English and Chinese."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Texts:
    """One language: the person, their organisation's connections, the titles in the list, and one conversation."""

    language: str
    first_name: str
    last_name: str
    workspace: str
    profiles: tuple[tuple[str, str], ...]
    connections: tuple[tuple[str, str, tuple[str, ...]], ...]  # name, kind, models
    titles: tuple[str, ...]  # newest first; the first one is pinned
    title: str
    exchanges: tuple[tuple[str, str], ...]
    entries: tuple[
        tuple[str, str, str, str, bool], ...
    ]  # scope, kind, topic ("" for core, "-" for archive), text, pinned


ENGLISH = Texts(
    language="en",
    first_name="Maya",
    last_name="Lindgren",
    workspace="Infrastructure",
    profiles=(("Runbooks", "Short, numbered steps; names every command."),),
    connections=(
        ("Anthropic", "anthropic", ("Claude Sonnet 4.5", "Claude Haiku 4.5")),
        ("Ollama in the server room", "openai", ("Qwen3 32B", "gpt-oss 20B")),
        ("OpenAI", "openai", ("GPT-5 mini",)),
    ),
    titles=(
        "On-call handover for week 49",
        "Why do the nightly backups overlap?",
        "Draft: announcement of the mail migration on Saturday",
        "Rotate the wildcard certificate without downtime",
        "Compare three offers for the new firewall",
        "Explain this kernel log line",
        "Minutes of the data protection round, as a table",
        "Regular expression for our asset tags",
        "Onboarding checklist for two new colleagues",
    ),
    title="Certificates that expire this month",
    exchanges=(
        (
            "Write me a check that warns 21 days before a certificate expires. Plain Bash, please.",
            """This asks each host and prints those that have less than 21 days left:

```bash
#!/usr/bin/env bash
set -euo pipefail
limit=$((21 * 86400))

while read -r host port; do
    if ! openssl s_client -connect "$host:$port" </dev/null 2>&1 |
        openssl x509 -noout -checkend "$limit"; then
        echo "$host: fewer than 21 days left"
    fi
done < hosts.txt
```

Run it from cron at seven in the morning; no output means that nothing is due.
""",
        ),
        (
            "Good. It named four hosts today. In which order should we renew them?",
            """**All four** expire before the holidays. I would renew first what people notice first:

| Host | Expires | Used by | How it is renewed |
| --- | --- | --- | --- |
| `mail.example.org` | 4 December | everyone | by hand, 20 minutes |
| `vpn.example.org` | 9 December | remote staff | ACME, but the hook fails |
| `intranet.example.org` | 18 December | everyone inside | ACME, automatic |
| `ldap-02` | 22 December | servers only | internal CA |

Two things to know beforehand:

1. The mail certificate is pinned in the old phone profiles, so announce it a day ahead.
2. The VPN hook has failed since the move to port 8443; fix that first, then let it renew by itself.
""",
        ),
    ),
    entries=(
        ("global", "reference", "-", "The old mail server is mx1, in room 2.", False),
        (
            "global",
            "reference",
            "Backups",
            "Nightly backups run from 01:00 to 04:30; tapes go to the bank on Fridays.",
            False,
        ),
        ("global", "project", "Firewall", "Three offers for the new firewall are due by 12 December.", False),
        (
            "workspace",
            "reference",
            "VPN",
            "vpn.example.org has listened on port 8443 since the move to the new room.",
            False,
        ),
        (
            "workspace",
            "decision",
            "Certificates",
            "Renew first what people notice first; announce a renewal of the mail certificate a day ahead.",
            False,
        ),
        ("global", "project", "", "Our team of four looks after sixty servers in two rooms.", False),
        (
            "global",
            "preference",
            "",
            "Give commands in full, so that they can be pasted, and say what each one changes.",
            True,
        ),
    ),
)

CHINESE = Texts(
    language="zh-hans",
    first_name="晓雯",
    last_name="林",
    workspace="基础设施",
    profiles=(("运维手册", "简短的编号步骤，写出每一条命令。"),),
    connections=(
        ("DeepSeek", "openai", ("DeepSeek V3.2", "DeepSeek R1")),
        ("机房里的 Ollama", "openai", ("Qwen3 32B", "gpt-oss 20B")),
        ("Anthropic", "anthropic", ("Claude Sonnet 4.5",)),
    ),
    titles=(
        "第 49 周值班交接",
        "夜间备份为什么会重叠？",
        "草稿：周六邮件系统迁移通知",
        "不停机更换通配符证书",
        "三家防火墙报价对比",
        "解释这行内核日志",
        "数据保护会议纪要，整理成表格",
        "资产编号的正则表达式",
        "两位新同事的入职清单",
    ),
    title="本月到期的证书",
    exchanges=(
        (
            "写一个检查脚本，在证书到期前 21 天提醒，用纯 Bash。",
            """下面的脚本会逐台检查，列出剩余不足 21 天的主机：

```bash
#!/usr/bin/env bash
set -euo pipefail
limit=$((21 * 86400))

while read -r host port; do
    if ! openssl s_client -connect "$host:$port" </dev/null 2>&1 |
        openssl x509 -noout -checkend "$limit"; then
        echo "$host：剩余不足 21 天"
    fi
done < hosts.txt
```

每天早上七点用 cron 运行；没有输出就表示没有证书需要处理。
""",
        ),
        (
            "很好。今天它报出了四台主机，应该按什么顺序更换证书？",
            """这**四张证书**都在节前到期，建议先处理影响面最大的：

| 主机 | 到期日 | 使用者 | 更换方式 |
| --- | --- | --- | --- |
| `mail.example.org` | 12 月 4 日 | 全体员工 | 手动，约 20 分钟 |
| `vpn.example.org` | 12 月 9 日 | 远程办公 | ACME，但钩子脚本失败 |
| `intranet.example.org` | 12 月 18 日 | 内网用户 | ACME，自动 |
| `ldap-02` | 12 月 22 日 | 仅服务器 | 内部 CA |

有两点需要提前注意：

1. 旧的手机配置里固定了邮件证书，请**提前一天**发通知。
2. VPN 的钩子脚本自从改用 8443 端口后一直失败，先修好它，之后就能自动更换。
""",
        ),
    ),
    entries=(
        ("global", "reference", "-", "旧邮件服务器是 mx1，在二号机房。", False),
        ("global", "reference", "备份", "夜间备份从 01:00 到 04:30；磁带每周五送银行保管。", False),
        ("global", "project", "防火墙", "新防火墙的三家报价 12 月 12 日截止。", False),
        ("workspace", "reference", "VPN", "搬到新机房后，vpn.example.org 监听 8443 端口。", False),
        ("workspace", "decision", "证书", "更换证书先处理影响面大的；更换邮件证书要提前一天通知。", False),
        ("global", "project", "", "我们四个人负责两个机房的六十台服务器。", False),
        ("global", "preference", "", "命令要写完整，方便直接粘贴，并说明每条命令改动了什么。", True),
    ),
)
