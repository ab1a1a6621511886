"""Texts that are orders to a model rather than facts (LEARN-14): claims of permission or identity, redirections, promotion,
orders that wait for a later word, forged marks of a prompt. A working habit ("always run the linter first") is none.

Texts are in compatibility form; case doesn't matter.
"""

from collections.abc import Iterator

import regex

Places = Iterator[tuple[int, int]]
_FLAGS = regex.VERBOSE | regex.VERSION1 | regex.IGNORECASE

_RULES = r"(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|restrictions?|safeguards?|guardrails?|limits?|safety|system[ ]messages?|directives?|constraints?|training|content[ ]filters?|filters?|boundaries)"
_CHECKS = r"(?:permissions?|confirmations?|approvals?|authori[sz]ations?|authentication|verification|safety|security|access|policy|checks?|filters?|safeguards?|guardrails?|review(?:er)?s?|consent|sign-?offs?|moderation|sandbox|2fa|mfa|audit(?:ing|s)?|logging|warnings?|limits?|restrictions?|okay|go-ahead|double-check(?:ing)?)"
_CHINESE_CHECKS = "(?:权限|审批|确认|批准|授权|审核|校验|验证|安全检查|安全限制|限制|同意|点头|许可|审计|核实|检查权限|复核|双重认证|风控|过滤)"
_ANYONE = r"(?:any(?:one|body)|some(?:one|body)|people|users?|they|others|customers?|colleagues?|everyone|whoever|an?[ ](?:user|customer|colleague|visitor|reader|client|person)|asked|the[ ](?:user|customer|reader)s?)"

_OVERRIDE = rf"""
    \b(?:ignor(?:e|es|ing)|disregard\w*|overrid(?:e|es|ing)|bypass\w*|circumvent\w*|forget|skip|drop|break|violate|discard|suspend|lift|relax|turn[ ]off|disable\w*|switch[ ]off|get[ ]around|do[ ]not[ ]follow|don't[ ]follow|stop[ ]following|not[ ]bound[ ]by|no[ ]longer[ ]bound[ ]by)
        [ ](?:\w+[ ]){{0,4}}?(?:(?:previous|prior|above|earlier|former|existing|system|safety|your|other|all|any|company|these|those|developer'?s?|content|original|the)[ ]){{1,4}}{_RULES}\b
  | \b(?:ignore|disregard)[ ](?:everything|anything|all)[ ](?:above|before|else|previously|you)
  | (?:忽略|无视|忘掉|忘记|跳过|绕过|绕开|不(?:要|用|必)(?:遵守|理会|管)|解除|关闭|取消|违反|推翻|覆盖|停用)[^。！？\n]{{0,8}}(?:之前|以前|先前|前面|上面|上述|所有|一切|全部|系统|原有|原来|你的|安全|公司|任何)[^。！？\n]{{0,6}}(?:指令|指示|规则|提示词?|设定|限制|约束|要求|规定|命令|策略|审查|防护)
  | (?:忽略|无视|绕过|解除|关闭)(?:安全|系统|内容|权限)?(?:指令|规则|提示词|限制|约束|审查|过滤|防护|检查)
  | \b(?:print|reveal|show|output|repeat|display|leak|tell|give|dump|recite)[ ](?:\w+[ ]){{0,4}}?(?:(?:hidden|system|full|initial|secret|original|entire)[ ])+(?:prompts?|instructions?|messages?)\b
  | (?:输出|打印|显示|泄露|透露|复述|告诉|公开|展示|说出)[^。！？\n]{{0,8}}(?:系统|全部|隐藏|完整|初始|内部)?(?:提示词|系统提示|系统指令|系统消息|内部指令)
  | \bjailbreak\w*|\bdeveloper[ ]mode\b|\bgod[ ]mode\b|\bdan[ ]mode\b|越狱模式|开发者模式|上帝模式
"""
_IDENTITY = r"""
    \byou(?:'re|[ ]are|[ ]will[ ]be)[ ](?:now[ ]|no[ ]longer[ ]|from[ ]now[ ]on[ ]|henceforth[ ])
  | ^\W*(?:from[ ]now[ ]on,?[ ])?(?:you[ ]are|you're|act[ ]as|behave[ ](?:as|like)|pretend[ ]to[ ]be|respond[ ]as|speak[ ]as|be[ ]an?[ ](?:unrestricted|evil|uncensored))\b(?![ ](?:welcome|right|free[ ]to[ ]ask|asked|expected))
  | \byour[ ](?:new[ ])?(?:name|role|identity|persona|job|purpose)[ ]is\b | \bthe[ ]assistant[ ](?:is|has[ ]become)[ ](?:now[ ])?(?:an?|the|no[ ]longer|un\w+)\b
  | \b(?:unrestricted|uncensored|unfiltered|without[ ](?:any[ ])?(?:restrictions|filters|limits|limitations|rules))\b
  | \b(?:i'?m|i[ ]am|is|as|user[ ]is|we[ ]are|treat[ ](?:me|the[ ]user)[ ]as)[ ](?:an?[ ]|the[ ]|your[ ]|now[ ]|actually[ ])*(?:super-?[ ]?(?:admin(?:istrator)?|user)|superuser|root[ ]user|sysadmin[ ]of[ ]this|(?:system|tenant|platform|global|site|domain)?[ ]?admin(?:istrator)?(?![ ](?:assistant|staff|team|office|portal|guide|console|area|panel|page|address))|system[ ]owner|developer[ ]of[ ](?:this|the)[ ](?:chat|assistant|system|model|tool)|your[ ](?:developer|creator|owner|maker|boss|administrator))\b
  | \b(?:have|has|with|hold|holds|grant(?:ed|s)?|gives?|got|gets|enjoy)[ ](?:me[ ]|the[ ]user[ ]|us[ ]|him[ ]|her[ ])?(?:\w+[ ]){0,2}(?:admin(?:istrator)?|root|super-?user|full|unlimited|unrestricted|elevated|owner|privileged|write|sudo|complete)[ ](?:\w+[ ])?(?:rights|access|privileges?|permissions?|clearance|powers?|authority)\b
  | 你(?:现在|从现在起|以后|今后)?(?:就是|是|不再是|扮演|变成)(?!我的(?:邮|电)|不是|说|否)\p{Han}{1,12} | 你的(?:新)?(?:名字|身份|角色|任务|职责)(?:是|叫)
  | (?:我|用户|本人|^)[^。！？，,\n]{0,4}(?:是|为|具有|拥有|有|享有|属于)\p{Han}{0,6}?(?:超级管理员|系统管理员|超管|最高权限|管理员权限|管理权限|所有权限|全部权限|root\s?权限|特权|开发者权限|(?<!数据库|网络|仓库|库房|场地|档案|宿舍|物资)管理员|无限权限|写权限)
  | (?:把|将)(?:我|用户)(?:当作|当成|视为|看作)\p{Han}{0,6}(?:管理员|超管|开发者|老板)
"""
_PERMISSION = rf"""
    \b(?:without|no[ ]need[ ](?:for|of|to[ ](?:ask|get|wait|have|seek))|needn't|not[ ]need|don't[ ]need|doesn't[ ]need|does[ ]not[ ]need|do[ ]not[ ]need|never[ ]needs?|no[ ]longer[ ]needs?|not[ ]required?|not[ ]requiring|skip(?:s|ping)?|bypass(?:es|ing)?|waive[sd]?|omit|disable[sd]?|turn[ ]off|switch[ ]off|don't[ ](?:wait|ask|check|bother|require)|do[ ]not[ ](?:wait|ask|check|require)|never[ ](?:ask|wait|check|require)|not[ ]ask|stop[ ](?:asking|checking)|instead[ ]of[ ]asking|no[ ](?:further|more))
        [ ](?:\w+'?s?[ ]){{0,4}}?{_CHECKS}\b(?<!code[ ]review|spelling[ ]checks?|peer[ ]review)
  | \b(?:may|can|should|must|shall|might|will|is|are|am|you're)[ ](?:\w+[ ]){{0,6}}?without[ ](?:\w+[ ]){{0,3}}?(?:ask|asking|permission|confirm\w*|approv\w*|checking|my[ ]ok|telling|review)\b
  | \b(?:pre-?approved|auto-?approve[sd]?|blanket[ ](?:approval|permission|consent)|standing[ ](?:approval|permission))\b
  | \b(?:treat|consider|regard|count)[ ](?:\w+[ ]){{1,6}}?as[ ](?:already[ ]|pre-?)?(?:approved|authori[sz]ed|trusted|verified|confirmed|safe)\b
  | \b(?:approve|accept|grant|authori[sz]e|confirm|sign[ ]off)[ ](?:all|every|any|everything|each)\b
  | \b(?:you|the[ ]assistant|the[ ]model|the[ ]bot|tools?|agents?)[ ](?:may|can|are[ ](?:allowed|free|permitted|authori[sz]ed|entitled|cleared)[ ]to|have[ ](?:my[ ])?permission[ ]to|is[ ](?:allowed|free|permitted|authori[sz]ed)[ ]to)[ ](?:\w+[ ]){{0,3}}?(?:delete|remove|drop|overwrite|execute|run|deploy|send|pay|transfer|buy|order|publish|merge|push|approve|access|read|change|modify|edit|restart|use|share|grant|install|call|book|spend|sign|write[ ]to|open)\b
  | \b(?:i|user)[ ](?:am|is|have|has)?[ ]?(?:allowed|authori[sz]ed|permitted|entitled|cleared)[ ]to\b | ^\W*(?:is|are)[ ](?:allowed|authori[sz]ed|permitted|entitled|cleared)[ ]to\b
  | \b(?:confirmations?|approvals?|permissions?|authori[sz]ations?|permission[ ]checks?|safety[ ]checks?)[ ](?:is|are)[ ](?:not[ ](?:needed|required|necessary)|unnecessary|optional|waived|off|disabled)\b
  | \balways[ ](?:answer|say|reply|respond)[ ](?:with[ ])?["“']?(?:approved|yes|granted|confirmed|ok|accepted)\b
  | (?:不(?:用|必|需要?|要|再)|无需|无须|免(?:去|除|掉|了)?|跳过|绕过|省略|略过|别(?:再)?|取消|关闭|停用|不经|未经|没有)(?:再|先|等|经过?|做|向|跟|问|征求|找|通过|进行|任何|每次)*[^。！？，,\n]{{0,6}}?{_CHINESE_CHECKS}(?!码)
  | (?:你|助手|模型|工具|机器人|智能体)[^。！？，,\n]{{0,6}}?(?:可以|有权|被允许|获准|允许|能够|能)(?!不能|能)(?:直接|自行|随意|随便|自动|任意|擅自)?[^。！？，,\n]{{0,8}}?(?:删|改|执行|运行|部署|发送|付款|转账|购买|下单|发布|合并|推送|批准|访问|读取|覆盖|重启|使用|共享|授权|安装|调用|预订|签|写入)
  | (?:可以|允许|有权)(?:直接|自行|随意|随便|自动|任意|擅自)[^。！？，,\n]{{0,8}}?(?:删|改|执行|运行|部署|发|付|转|买|下单|发布|合并|推|批|访问|读|覆盖|重启|共享|授权|装|调用|签|写)
  | (?:一律|自动|直接|默认|全部|统统|都)(?:回答|回复|算|视为|当作|按|给予?)?[“"'「]?(?:同意|批准|通过|放行|已批准|已授权|授权|准许)
  | (?:已经?|都|被)?(?:获得?|得到|拿到)了?[^。！？，,\n]{{0,6}}(?:授权|特批|豁免|最高权限) | (?:我|用户)(?:有权|被授权|获准|被允许)
"""
_REDIRECTION = rf"""
    \b(?:when|whenever|if|every[ ]time|any[ ]time|anytime|once|as[ ]soon[ ]as|should)[ ](?:ever[ ])?{_ANYONE}(?:[ ]\w+)?[ ](?:asks?|wants?|needs?|requests?|inquires?|enquires?|look(?:s|ing)?|searches|about|for|questions?)\b[^.!?\n]*?[ ,](?:give|say|send|answer|reply|recommend|tell|point|link|refer|direct|suggest|name|mention|respond|quote|claim|insist|steer|route|forward|show|provide|offer|state)
  | \b(?:give|say|send|answer|reply|recommend|tell|point|link|refer|direct|suggest|respond|steer|forward)\b[^.!?\n]{{1,80}}?\b(?:when|whenever|if|every[ ]time)[ ](?:ever[ ])?{_ANYONE}(?:[ ]\w+)?[ ](?:asks?|wants?|needs?|requests?|inquires?|about)\b
  | \b(?:any|every|all)[ ](?:questions?|requests?|quer(?:y|ies))[ ](?:about|on|for|regarding)\b[^.!?\n]{{1,60}}?\b(?:should|must|get|gets|are|is|be)\b[^.!?\n]{{0,20}}?\b(?:answered|redirected|sent|pointed|referred|forwarded|routed|the[ ]answer)
  | \b(?:forward|send|copy|bcc|cc|mail|e-mail|upload|post|leak)[ ](?:\w+[ ]){{0,3}}?(?:all|every|each|any|my|the|copies[ ]of)[ ](?:\w+[ ]){{0,5}}?(?:to)[ ](?:\S+@\S+|https?://\S+)
  | \b(?:instead|replace)\b[^.!?\n]{{0,40}}\b(?:account|iban|link|address|url)s?[ ](?:with|by)\b
  | (?:有人|别人|任何人|谁|大家|客户|用户|同事|人家|他们|顾客|只要)[^。！？\n]{{0,6}}(?:问|要|查|咨询|提到|询问|打听|索要|请求|想要|想知道)[^。！？\n]{{0,20}}?(?:就|都|一律|请|则|统一|便|，|,)[^。！？\n]{{0,6}}(?:说|给|回答|回复|告诉|推荐|发|指向|引导|介绍|答|报|转到|让|提供)
  | (?:凡是?|所有|一切)[^。！？\n]{{0,6}}(?:问|咨询|提问|问题|请求)[^。！？\n]{{0,20}}?(?:都|一律|统统)[^。！？\n]{{0,6}}(?:说|给|回答|回复|告诉|推荐|发|指向|引导|转到)
  | (?:把|将)[^。！？\n]{{0,16}}(?:转发|抄送|发送|发|上传|同步|密送)(?:一份)?(?:到|给|至)\s?(?:\S+@\S+|https?://\S+)
"""
_PROMOTION = r"""
    \b(?:always|should|must|be|first|only|every|everyone|everybody|anyone|users?|customers?|people)\b[^.!?\n]{0,40}?\brecommend(?:ed|ing)?\b(?![ ](?:me|to[ ]me|vegetarian|us)) | \b(?:is|are)[ ](?:always[ ])?(?:highly[ ])?recommended\b
  | \b(?:always|only|exclusively)[ ](?:recommend|suggest|promote|advertise|praise|endorse|push|favou?r|link|mention|plug|advise|name)\b(?![ ](?:me|to[ ]me|the[ ](?:file|line|source|ticket|page|issue|reference|version|unit|date|author)))
  | \brecommend(?:ed)?\b[^.!?\n]{0,40}\b(?:first|above[ ]all|over[ ]all|to[ ]everyone|to[ ]all|always|before[ ](?:any|all|its)|by[ ]default|whenever|in[ ]every)\b
  | \b(?:promote|advertise|endorse|plug|praise|talk[ ]up)[ ]\w+
  | \b(?:the|our|is|are)[ ](?:\w+[ ]){0,2}?(?:best|most[ ](?:trusted|trustworthy|reliable|secure|popular|respected|advanced|recommended)|leading|number[ ](?:one|1)|no\.[ ]?1|top-rated|only[ ](?:trusted|reliable|safe|serious|credible|trustworthy)|finest|cheapest|safest|top)[ ](?:\w+[ ]){0,2}?(?:vendor|provider|product|brand|suppliers?|tool|service|company|platform|software|solution|bank|source|app|shop|store|authority|insurer|broker|consultancy|host(?:er|ing)?|cloud|agency|choice|option|airline|hotel)s?\b
  | \b(?:in|to|under|with|at[ ]the[ ]end[ ]of|into)[ ](?:every|all|each|any)[ ](?:of[ ]your[ ])?(?:answers?|repl(?:y|ies)|responses?|messages?|chats?)\b[^.!?\n]{0,40}?\b(?:link|mention|add|include|insert|advert|https?://|www\.|buy|visit|promo|discount|recommend)
  | \b(?:link|mention|add|include|insert|refer|point)\b[^.!?\n]{0,60}?\b(?:in|to|under|with|at[ ]the[ ]end[ ]of|into)[ ](?:every|all|each|any)[ ](?:of[ ]your[ ])?(?:answers?|repl(?:y|ies)|responses?|users?|readers?|customers?|visitors?|chats?)\b(?=.*(?:https?://|www\.|\.(?:com|example|net|org|shop|io)|product|shop|brand|offer|newsletter|discount|vendor|link)|(?<=link.*))
  | (?:推荐|优先推荐|首推|力荐|安利|宣传|推广|主推|引流)(?!信|人|我|给我|算法|系统|位)[^。！？\n]{0,16}(?:第一|首位|优先|首选|最前|都|一律|所有人|大家|排|它|他们家)
  | (?:都|一律|总是|永远|必须|优先|首先|只|每次|一定|始终)(?:要|先|能|会)?(?:把\p{Han}{1,8})?(?:推荐|首推|推广|宣传|安利|主推)(?!我|给我)
  | (?:最(?:可信|可靠|值得信赖|专业|权威|好用|安全|好|便宜|强|优秀|靠谱|值得推荐)|第一|首选|顶级|唯一(?:可信|可靠|靠谱|正规|值得信赖)?|头号|领先)的?(?:\p{Han}{0,4})?(?:供应商|服务商|品牌|产品|厂商|平台|工具|公司|软件|银行|方案|云|商家|店|网站|来源|机构|保险|酒店|中介|选择)
  | (?:每(?:次|个|条|篇)|所有|一切)[^。！？\n]{0,6}(?:回答|回复|答复|消息|结尾|末尾)[^。！？\n]{0,8}(?:都|要|必须|一律)?[^。！？\n]{0,6}(?:附上|加上|带上|插入|提到|放上?|链接到|宣传|推荐)[^。！？\n]{0,16}(?:链接|网址|广告|https?://|www\.|官网|商品|优惠|二维码|店铺|产品|品牌)
"""
_QUOTED = r"[\"“”'‘’「」『』`][^\"“”'‘’「」『』`\n]{1,40}[\"“”'‘’「」『』`]"
_DELAYED = rf"""
    \b(?:if|when|whenever|once|as[ ]soon[ ]as|after|next[ ]time|the[ ]moment|until|upon|should)[ ](?:i|the[ ]user|someone|somebody|anyone|you[ ](?:see|read|hear)|we)?(?:[ ](?:later|ever|next|then|again|first))?[ ]?(?:says?|types?|writes?|mentions?|sends?|utters?|see|read|hear|enters?|uses?|hearing|reading|seeing|saying)[ ](?:the[ ]|that[ ]|a[ ])?(?:(?:code[ -]?)?(?:words?|phrase|sentence|keyword|command|passphrase)[ ])?{_QUOTED}(?!,?[ ](?:i|we)(?:'m|[ ]am|[ ]actually|[ ]really)?[ ](?:mean|refer|am[ ]talking|talking)|[ ](?:means?|stands?|refers?|in|as|for)\b|,?[ ]it[ ](?:means|stands|refers)|,?[ ](?:take|read|understand)[ ]it[ ]as)
  | \b(?:code[ -]?word|trigger[ ](?:word|phrase)|secret[ ](?:word|phrase|command|signal)|magic[ ](?:word|phrase)|safe[ ]?word|activation[ ](?:word|phrase|code)|wake[ ]word)\b
  | ^\W*(?:after|upon|on)[ ]{_QUOTED} | \bwait[ ](?:for|until)[ ][^.!?\n]{{0,30}}{_QUOTED} | \b(?:when|if|once)[ ](?:you[ ](?:see|hear|read)|it[ ]says)[ ][^.!?\n]{{1,40}},[ ]
  | (?:如果|要是|当|等|只要|一旦|以后|下次|每当|哪天|听到|看到|若|若是|凡是)[^。！？\n]{{0,8}}(?:说|提到|输入|打出|发|写|问|喊|听到|看到|出现|收到)[^。！？\n]{{0,6}}{_QUOTED}(?![，,]?(?:指的?是|就是指|是指|意思是|的意思|表示|代表|我指))
  | (?:听到|看到|说|提到|收到|输入)了?\s?{_QUOTED}[^。！？\n]{{0,6}}(?:后|以后|之后|时|的时候|就) | 暗号|触发词|口令词|接头|激活词|唤醒词|暗语|密语
"""
_FORGED = r"""
    <\|[^|>\n]{1,40}\|> | \[/?(?:INST|SYS|SYSTEM|MEMORY|END[ ](?:OF[ ])?\w+|BEGIN[ ]\w+|ASSISTANT|USER|TOOL|DEVELOPER)[^\]\n]{0,20}\] | <</?SYS>> | </?\s?(?:system|assistant|user|memory|stored_memory|instructions?|prompt|tool\w*|human|developer|context|function\w*|thinking|rules?|profile|s|im_start|im_end|[\w]*(?:memory|system|prompt|message)[\w]*)\b[^>\n]{0,40}>
  | (?:^|[\s\]>"“。.!?;；])(?:system|assistant|human|developer|tool)[ ]?(?:message|prompt)?[ ]?[:：](?!//) | (?:^|\n)\s*\#{2,}[ ]?(?:system|instructions?|assistant|new[ ]rules|response|human|user|end)\b
  | -{3,}[ ]?(?:begin|end|start|system|new)\b[^\n]{0,30} | \b(?:begin|end|start)[ ](?:of[ ])?(?:system|hidden|admin|developer)?[ ]?(?:prompt|instructions?|system[ ]message|memory[ ]block)\b
  | [【\[〔](?:系统|系统消息|系统提示|管理员|助手|指令|记忆(?:结束|开始)?|结束|开始|开发者|结束记忆)[^】\]〕\n]{0,10}[】\]〕] | (?:^|[。！？\s])(?:系统(?:消息|提示|指令)?|助手|开发者)\s?[:：] | (?:记忆|系统提示|上下文)(?:区|块)?(?:到此)?结束
  | \\n\\n(?:human|assistant|system):
"""
_PATTERNS = [
    regex.compile(pattern, _FLAGS)
    for pattern in (_OVERRIDE, _IDENTITY, _PERMISSION, _REDIRECTION, _PROMOTION, _DELAYED, _FORGED)
]


def orders(text: str) -> Places:
    """Where a text gives orders to a model or claims rights."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield match.span()
