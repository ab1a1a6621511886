"""What a text tells of people that should not be stored: health and other special categories of data, and how to reach
somebody else (LEARN-14). Texts are in compatibility form; case doesn't matter.

A word alone tells nothing: a *health check* is work, and so is a product for diabetics. It takes a person who has, is or
believes it.
"""

from collections.abc import Iterator

import regex

Places = Iterator[tuple[int, int]]
_FLAGS = regex.VERBOSE | regex.VERSION1 | regex.IGNORECASE

# --- people -----------------------------------------------------------------------------------------------------------

_ROLES = """
colleagues? coworkers? co-workers? teammates? boss manager supervisor assistant secretary deputy intern wife husband spouse
partner mother father mom mum dad son daughter sister brother aunt uncle cousin niece nephew child children kids? friends?
girlfriend boyfriend fiance neighbou?rs? landlord tenant client customer patient student teacher professor doctor dentist
lawyer accountant nanny babysitter driver buyer seller agent contractor plumber electrician recruiter applicant candidate
director ceo cfo cto employee member grandmother grandfather grandma grandpa
"""
_ROLE = rf"(?:{'|'.join(_ROLES.split())})"
_CHINESE_ROLE = (
    "同事|老板|领导|经理|主管|组长|总监|主任|秘书|助理|下属|老婆|妻子|太太|老公|丈夫|爱人|妈妈|母亲|爸爸|父亲|儿子|女儿|姐姐|妹妹|"
    "哥哥|弟弟|姑姑|舅舅|叔叔|阿姨|奶奶|爷爷|外婆|外公|孩子|朋友|女友|男友|邻居|房东|客户|顾客|病人|患者|学生|老师|教授|医生|律师|"
    "会计|保姆|司机|采购|员工|实习生|师傅|候选人|应聘者|岳父|岳母|婆婆|公公|侄子|侄女|表哥|表姐|表弟|表妹|室友|同学"
)
_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤方俞任袁柳"
    "鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞"
    "熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房丁邓洪包左石崔吉龚程"
    "邢裴陆荣翁荀甄曲封储靳段焦侯宓全班仲伊宫宁仇栾甘厉祖武符刘景詹束龙叶司黎薄印白蒲从鄂索赖卓池乔胥闻党翟谭劳姬申冉桂牛"
    "寿通边燕尚农温庄晏柴瞿阎慕连习艾鱼容向古易慎廖庾居衡步都耿满弘匡国文寇广东殴沃利蔚越师巩聂晁勾敖融冷辛阚那简饶空曾关"
)
_CHINESE_PERSON = (
    rf"(?:{_CHINESE_ROLE}|[他她]们?(?!的是)|(?:小|老|阿)[{_SURNAMES}]|[{_SURNAMES}](?:总|工|姐|哥|叔|姨|经理|主任|老师|先生|女士|小姐|医生|律师|师傅|董|局|处|科长)"
    rf"|[{_SURNAMES}]\p{{Han}}{{1,2}}(?=的|有|是|患|得了|在|信|怀|对|电|手|微|邮|住|正在))"
)
_NAME = r"(?-i:\p{Lu}\p{Ll}+(?:[ ]\p{Lu}\p{Ll}+)?)"
_OTHER = rf"(?:\b{_ROLE}\b|\b(?:he|she|his|her|him)\b|\b(?:mr|mrs|ms|dr)\.?[ ]|{_CHINESE_PERSON})"
_I = r"(?:\b(?:i|i'm|my|me|we|the[ ]user(?:'s)?|user)\b|我|用户|本人)"

# --- special categories -----------------------------------------------------------------------------------------------

_ILLNESS = r"""
    (?:cancer|tumou?r|leuk[ae]*mia|chemo(?:therapy)?|radiotherapy|dialysis|diabet(?:es|ic)|depress(?:ion|ed|ive)|anxiety|bipolar(?:[ ]disorder)?
    |schizophreni[ac]|autis(?:m|tic)|adhd|ptsd|ocd|dementia|alzheimer'?s?|parkinson'?s?|epileps?y|epileptic|seizures|asthma(?:tic)?|migraines?
    |hiv|aids|hepatitis|tuberculosis|covid|lupus|arthritis|crohn'?s|celiac|coeliac|multiple[ ]sclerosis|stroke|heart[ ](?:attack|disease|condition|failure|surgery)
    |high[ ]blood[ ]pressure|hypertension|pregnan(?:t|cy)|miscarriage|abortion|ivf|infertil\w+|burn-?out|insomnia|an(?:a)?emia|anorexi[ac]|bulimi[ac]
    |eating[ ]disorder|addict(?:ion|ed)?|alcoholi(?:c|sm)|rehab|sober|psychiatri\w+|psychotherapy|therapy|therapist|antidepressants?|insulin|methadone|ssris?|lithium|ritalin
    |surgery|operation[ ]on|wheelchair|disabled|disability|deaf|blind|prosthe\w+|pacemaker|allerg(?:y|ic)|panic[ ]attacks?|suicid\w+|self-harm|mental[ ](?:illness|health[ ](?:issues|problems))
    |sti|std|herpes|syphilis|cirrhosis|kidney[ ](?:disease|stones|failure)|thyroid|hernia|concussion|dyslexi[ac]|glaucoma|psoriasis|eczema|fibromyalgia|sick[ ]leave|terminally[ ]ill|chronically[ ]ill|medication)
"""
_HAS = r"""
    (?:has|have|had|having|is|are|was|am|'m|'s|suffers?|suffering|gets?|takes?|taking|diagnosed|recovering|undergo\w+|underwent|being|treated|going|goes|in|on|lives?|living
    |with|from|through|of|for|because|due|attends?|uses?|needs?|injects?|sees?|seeing)
"""
_ILL = rf"\b(?:{_HAS}[ ](?:\w+[ ]){{0,3}}?{_ILLNESS}|{_ILLNESS}[ ](?:patient|sufferer|survivor|treatment|diagnosis)|(?:his|her|my|their)[ ](?:\w+[ ]){{0,2}}{_ILLNESS})\b"
_CHINESE_ILLNESS = (
    r"(?:\p{Han}{1,4}(?:症|癌|瘤|肝炎|肺炎|胃炎|关节炎|糖尿病|心脏病|高血压|肾病|性病|精神病|白血病|艾滋病)|抑郁|焦虑症?|癌症?|肿瘤|糖尿病|心脏病|高血压|低血糖|高血脂|"
    r"哮喘|癫痫|中风|脑梗|心梗|化疗|放疗|透析|怀孕|有孕|孕期|流产|堕胎|试管|不孕|艾滋病?|HIV|乙肝|肝炎|肺结核|结核病|自闭|孤独症|双相|精神分裂|失眠|痛风|"
    r"过敏|残疾|残障|聋哑?|失明|轮椅|手术|住院|吃药|服药|抗抑郁药?|胰岛素|心理咨询|心理医生|精神科|戒毒|戒酒|酗酒|成瘾|自杀|自残|厌食|阿尔茨海默|痴呆|帕金森|病假|偏头痛|腰椎间盘突出|甲亢|甲减|红斑狼疮|银屑病|贫血|ADHD)"
)
_HAS_CHINESE = r"(?:有|患|得了?|确诊|查出|是|在|正在|做了?|做过|接受|因为?|由于|对\p{Han}{1,6}|刚|需要|怀|坐|靠|打|去|请|休|曾经?|长期|一直|罹患|正|吃|服用|看|住|犯)"

_BELIEF = r"""
    (?:muslim|christian|catholic|protestant|jewish|jew|hindu|buddhist|sikh|atheist|mormon|orthodox|jehovah'?s[ ]witness|evangelical|sunni|shia|devout|pious
    |gay|lesbian|bisexual|homosexual|queer|transgender|trans|asexual|non-?binary|transitioning
    |republican|democrat|socialist|communist|conservative[ ]voter|liberal[ ]voter|(?:a[ ])?party[ ]member|trade[ ]union(?:ist)?|union[ ](?:member|rep\w*)|shop[ ]steward
    |roma|romani|sinti|black|white|hispanic|latin[oa]|aboriginal|ex-?con(?:vict)?|felon|on[ ]parole|on[ ]probation)
"""
_BELIEVES = rf"""
    (?:(?:is|are|am|'m|was|being|as|an?|since[ ](?:he|she)(?:'s|[ ]is))[ ](?:an?[ ]|a[ ]practising[ ]|a[ ]devout[ ]|openly[ ])?{_BELIEF}\b
    |\b(?:votes?|voted|voting)[ ](?:for[ ])?(?:the[ ])?(?:\w+[ ])?(?:party|greens?|labou?r|tory|tories|conservatives?|republicans?|democrats?|left|right|social[ ]democrats)\b
    |\b(?:belongs[ ]to|member[ ]of|joined|converted[ ]to|prays?[ ]at|worships?)[ ](?:\w+[ ]){{0,3}}(?:party|union|church|mosque|synagogue|islam|catholicism|judaism|buddhism|christianity|temple|congregation)\b
    |\b(?:was|been)[ ](?:convicted|arrested|imprisoned|jailed)\b|\bcriminal[ ]record\b|\b(?:served|did)[ ]time[ ]in[ ](?:prison|jail)\b|\bsexual[ ]orientation\b)
"""
_CHINESE_BELIEF = (
    r"信(?:仰)?(?:佛|基督|天主|伊斯兰|回|道|主)教?|(?:是|为)(?:\p{Han}{0,4})?(?:基督徒|佛教徒|穆斯林|天主教徒|教徒|回族|藏族|维吾尔族|蒙古族|满族|壮族|苗族|彝族|犹太人|同性恋|双性恋|跨性别者?|党员|民主党派|工会(?:会员|成员|代表))"
    r"|同性恋|双性恋|跨性别|出柜|性取向|(?:加入|参加|是)了?(?:工会|\p{Han}{0,2}党(?!组织活动))|有(?:犯罪|案底|前科)\p{Han}{0,2}|坐过牢|服过刑|被判(?:刑|过)|入狱|吸毒"
)
_SPECIAL = [
    regex.compile(
        rf"(?:{_OTHER}|{_I}|(?<=^|[.;,][ ]){_NAME}|{_NAME}(?='s|[ ](?:is|has|takes|suffers|was|had|needs|goes|gets|uses|sees|attends|votes|lives)))[^.!?;\n]{{0,60}}?{_ILL}",
        _FLAGS,
    ),
    regex.compile(
        rf"^[^\w]*(?:has|suffers|takes|is|was|being|diagnosed|lives|gets)[ ](?:\w+[ ]){{0,4}}?{_ILLNESS}\b", _FLAGS
    ),
    regex.compile(
        rf"(?:{_CHINESE_PERSON}|{_I}|^|[，,。；;])[^。！？；;\n，,]{{0,12}}?{_HAS_CHINESE}[^。！？；;\n，,]{{0,8}}?{_CHINESE_ILLNESS}",
        _FLAGS,
    ),
    regex.compile(rf"(?:{_CHINESE_PERSON}|我)(?:的)?{_CHINESE_ILLNESS}", _FLAGS),
    regex.compile(rf"(?:{_OTHER}|{_I}|{_NAME}|^)[^.!?;\n]{{0,40}}?{_BELIEVES}", _FLAGS),
    regex.compile(rf"(?:{_CHINESE_PERSON}|我|^|[，,。])[^。！？；;\n，,]{{0,10}}?(?:{_CHINESE_BELIEF})", _FLAGS),
]
_NO_PERSON = regex.compile(
    r"""\b(?:server|service|app|application|system|pipeline|cluster|product|module|build|test|node|disk|device|database|customers?[ ]make|health[ ]?checks?|network|host|printer
    |dashboard|router|api|software|parking|entrance|ramp|toilet|kit|group[ ]therapy[ ]room|button|checkbox|feature|flag|field|account|plugin|users?[ ]are[ ](?:blind|deaf))\b|服务|系统|接口|模块|按钮|账号|功能|设备|机器|节点|流程|字段|插件|代码|单点|版本""",
    _FLAGS,
)


def special_categories(text: str) -> Places:
    """Where a text tells of somebody's health, belief, orientation, politics, origin or convictions."""
    for pattern in _SPECIAL:
        for match in pattern.finditer(text):
            if not _NO_PERSON.search(match[0]):
                yield match.span()


# --- contact data -----------------------------------------------------------------------------------------------------

_PHONE = regex.compile(
    r"""(?<![\w.+/:-])(?:\+\d{1,3}[ -]?(?:\(0\)[ ]?)?\d(?:[ ./-]?\d){5,12} | 1[3-9]\d(?:[ -]?\d{4}){2} | 0\d{1,4}[ /-]?\d(?:[ -]?\d){4,9}
    | \(?\d{3}\)?[ .-]\d{3}[ .-]\d{4} | 555-\d{4} | \d{3}-\d{4})(?![\w-]|[.:]\d)""",
    regex.VERBOSE | regex.VERSION1,
)
_MAIL = regex.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_HANDLE = regex.compile(
    r"(?:微信号?|wechat|QQ号?|telegram|whatsapp|signal|skype|line[ ]id)(?:[ ](?:id|handle|is)|号|是|为|[:： ])*[ ]?@?(?P<id>[A-Za-z0-9_][\w.-]{4,30})",
    regex.IGNORECASE,
)
_ADDRESS = regex.compile(
    r"""\b(?:lives?|living|home[ ]address|private[ ]address|resides?)\b[^.;\n]{0,40}?\b(?:\d+[a-z]?[ ](?:\p{L}+[ ]){1,3}(?:street|st|road|rd|avenue|ave|lane|drive|close|court|way|square)|(?:\p{L}+[ ]){0,2}\p{L}+(?:street|road|lane|straße|strasse|weg|gasse)[ ]\d+)
    |(?:家住|住在|家庭住址|住址|家庭地址|家里?的?地址)[^。；\n]{0,20}?(?:路|街|巷|弄|小区|花园|村|苑|大道)[^。；\n]{0,12}?\d+""",
    _FLAGS,
)
_OWN = regex.compile(
    r"""\b(?:my|our|mine|the[ ]user's|user's|own)\b(?![ ](?:\w+[ ]){0,2}"""
    + _ROLE
    + r"""\b)|(?:我|我们|我司|公司|本人|用户|自己)(?:的|这边|们)?(?!\p{Han}{0,3}(?:"""
    + _CHINESE_ROLE
    + r"""))|^[^\w]*(?:e-?mail|mobile|phone|extension|number|cell|reach|reached|call)\b|^\W*(?:邮箱|手机号?|电话|分机|联系电话)""",
    _FLAGS,
)
_OFFICE = regex.compile(
    r"""\b(?:hotline|help-?desk|service[ ]desk|support|switchboard|reception|front[ ]desk|office|department|company|shop|store|desk|fax|line|emergency|on-?call|pager|conference|dial-in|bridge|clinic|bank|carrier|hotel
    |restaurant|supplier|vendor|room|meeting|security|gate|warehouse|depot|garage|team|sales|billing|accounts|info|press|jobs|hr|noreply|no-reply|postmaster|admin|ticket|order|invoice|part|serial|version|customer[ ]number|port|mailing[ ]list|distribution[ ]list|alias|invoices?|orders?|bookings?|newsletter)\b
    |热线|客服|总机|前台|值班|服务台|办公室|部门|公司|门店|仓库|会议|传真|银行|酒店|医院|供应商|物业|保安|报修|售后|急救|邮件组|公共邮箱|工单|订单|发票|编号|单号|号码牌|群""",
    _FLAGS,
)
_PERSON = regex.compile(
    rf"{_OTHER}|(?<![.!?][ ])(?<!^){_NAME}(?='s)|{_NAME}(?='s|[ ](?:is|prefers|can|at|on|wants|lives|likes|has|uses)\b)",
    _FLAGS,
)
_MAILBOX = regex.compile(
    r"(?:support|info|help|helpdesk|service|sales|billing|accounts?|invoices?|orders?|office|admin|team|hr|jobs|press|contact|hello|no-?reply|security|abuse|it|ops|dev|devops|reports?|alerts?|archive|bookings?|reception|root|postmaster|feedback|news|noc|kundendienst|tickets?|purchasing|procurement|logistics|warehouse|finance|legal|marketing|pr|events?|travel)(?:[._+-]\w+)*@",
    regex.IGNORECASE,
)


def contacts(text: str) -> Places:
    """Where a text tells how to reach a person other than its author: phone, mail, messenger, home address."""
    for pattern in (_PHONE, _MAIL, _HANDLE, _ADDRESS):
        for match in pattern.finditer(text):
            around = _sentence(text, match.start(), match.end())
            person, own = _PERSON.search(around), _OWN.search(around)
            if (pattern is _MAIL and _MAILBOX.match(match[0])) or (
                own and not (person and person.start() < own.start())
            ):
                continue
            whose_is_unknown = pattern in (_MAIL, _HANDLE) or (pattern is _PHONE and _is_mobile(match[0]))
            if person or (whose_is_unknown and not _OFFICE.search(around)):
                yield match.span()


def _is_mobile(number: str) -> bool:
    digits = regex.sub(r"\D", "", number)
    return bool(regex.fullmatch(r"(?:86)?1[3-9]\d{9}", digits)) or number.startswith("+") or len(digits) == 10


def _sentence(text: str, start: int, end: int) -> str:
    begin = max((text.rfind(mark, 0, start) for mark in "。！？!?;；\n"), default=-1)
    begin = max(begin, text.rfind(". ", 0, start))
    ends = [at for at in (text.find(mark, end) for mark in "。！？!?;；\n") if at >= 0]
    return text[begin + 1 : min(ends, default=len(text))]
