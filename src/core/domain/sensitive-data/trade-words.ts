/**
 * The words of the trade, in English and Spanish, as regular expressions for a text made by
 * `plainCopy`: lower case, without accents. What a clause calls a number decides what it is, for
 * refusals and for labels alike; each word is here once.
 */

/** Only between letters of other words. */
export const whole = (...words: string[]) => `(?<![a-z])(?:${words.join('|')})(?![a-z])`
export const word = (...words: string[]): RegExp => new RegExp(whole(...words))

export const NUMBER_WORD = 'numbers?|numeros?|nums?|nbr|nos?|nr|n(?=°)'
/** Whose something is. */
export const OWN = "(?:my|his|her|our|their|mi|su|[a-z]{2,}'s)"

const NUMBERED = `(?:[. ]{0,2}(?:${NUMBER_WORD})(?![a-z])|[. ]{0,2}#)`

/** Who a number belongs to: `TP 219099999`. Such a word counts only straight before nine digits. */
export const OWNER = [
  't/?p|s/?p|[thsw](?=:)|taxpayer|spouse|primary|secondary|filer|dependent|dep|payee|recipient',
  'beneficiary|decedent',
  'husband|hubby|wife|son|daughter|child|kid|mother|father|mom|dad|baby',
  'contribuyente|conyuge|espos[oa]|hij[oa]|dependiente|beneficiari[oa]|madre|padre',
].join('|')

/** A state or a town gives numbers for these taxes, which are of no person. */
const LOCAL = '(?:sales(?: (?:and|&) use|/use)?|excise|hotel|lodging|occupancy|property)'
const NO_LOCAL = `(?<!(?<![a-z])${LOCAL} )`

/** A Social Security number, by a name that only the number has. */
export const SSN_ITSELF = [
  `s[. ]{0,2}s[. ]{0,2}n[.']?s?|s\\.? ?s\\.?(?: ?a\\.?)?${NUMBERED}|ssan|nss|n[.]s[.]s[.]?`,
  `soc(?:[. ]{1,2}sec)?|${NO_LOCAL}tax(?:payer)?[ -]?id[a-z]*|t[.]?i[.]?n`,
  'identifying n(?:o|um(?:ber)?)|national (?:id|insurance)',
].join('|')
/** What is social, and no number or benefit. */
const SOCIETY = 'media|work|event|club|network|service|life|distanc'
/** Also what names the benefits and the taxes: `social security: 23919`. */
export const SOCIAL = [
  SSN_ITSELF,
  's[.]? ?s[.]?',
  `(?:social|socail|soical|scoial|sosial)s?(?! (?:${SOCIETY}))(?: ?sec(?:urity)?)?`,
  'segur(?:o|idad) social|(?:mi|su) seguro(?=:? (?:es )?$)',
  'numero de seguro(?! (?:del?|medico|auto)(?![a-z]))',
].join('|')
export const ITIN = 'i[. ]{0,2}t[. ]{0,2}i[. ]{0,2}n|a[. ]{0,2}t[. ]{0,2}i[. ]{0,2}n'
/** The number of a company at the IRS, by a name that only the number has. */
export const EIN_ITSELF = [
  "f?[. ]{0,2}e[. ]{0,2}i[. ]{0,2}n[.']?s?|f[.]?e[.]?i[.]?",
  "employer(?:'?s)? (?:id[a-z]*|number|num|nbr|nr|#|no(?=[^a-z]*(?:\\d|$)))",
  'fed(?:eral)?[. ]{1,2}(?:tax )?id[a-z]*',
].join('|')
export const EMPLOYER = [
  EIN_ITSELF,
  'fed(?:eral)?[. ]{1,2}(?:tax|no|number)',
  `(?:${NO_LOCAL}tax(?:payer(?:'s)?)?|business) ?(?:no|num|number|nr|#)`,
  "(?:state|payer'?s?|company) (?:tax )?id",
  'patronal|(?:id(?:entificacion)?|numero) (?:del? )?(?:patron|empleador|federal)',
].join('|')

export const ROUTING = 'routing|rounting|routeing|rtn|rtg|aba|r/t|(?:numero de )?ruta'
/** Also words for other things: the number has to pass the check of routing numbers. */
export const TRANSIT = 'transit|transito|rt(?= ?(?:#|no|number|:|$))'
export const CARD =
  'cards?|visa|master ?card|mc|am ?ex|american express|discover|debit|credit|cc|tarjeta|maestro|' +
  'diners|jcb|union ?pay'
const MONEY_GOES =
  '(?:wir(?:e|ed|ing)|mov(?:e|ed|ing)|ach|deposit(?:ed|ing)?|transfer(?:red|ring)?) (?:[a-z]+ ){0,2}'
/** Accounts of the books, whose figures are amounts, and those of a parcel or a company with an office. */
const NO_BANK =
  'gl|ledger|capital|expense|revenue|suspense|clearing|property|state|withholding|' +
  `(?<!${MONEY_GOES}to (?:(?:the|my|our) )?(?:[a-z]+ )?)tax(?! [a-z/]+ (?:at|with|in|en) )|` +
  '(?:un|re)employment|s?ui|suta|edd|twc|ftb|cdtfa|dor|ifta|cat|l&i'
const NO_BANKS =
  `(?<!(?<![a-z])(?:${NO_BANK}|t(?:ake|aken|aking|ook) into) )` +
  '(?!(?<=(?<![a-z])on )account of |[a-z]+ (?:receivable|payable)(?![a-z]))'
/** The account of a company at an office, whose number may look like an SSN without a sign. */
const OFFICE_ACCOUNT = `(?<!to (?:(?:the|my|our) )?)(?:${NO_BANK}) acc(?:oun)?ts?`
/** An account that someone may take money from or send it to. */
export const ACCOUNT =
  `${NO_BANKS}(?:acc?(?:oun|ou|on|n|uon)ts?|act(?= ?(?:#|no|num))|accs?|accts?)` +
  '(?:number|num|nbr|no)?|a/c|cuenta(?! (?:de )?(?:capital(?! one)|gastos|ingresos|resultados|' +
  'predial|luz|agua|gas)(?![a-z]))(?: (?:bancaria|corriente|de (?:ahorros?|cheques)))?|' +
  'cta|ac ?#|dda|clabe|clave (?:inter)?bancaria'
/** Kinds of accounts and places where money lies: fewer digits beside them are an amount. */
export const POT =
  `(?<=(?:the|${OWN}) )checking|checkings?(?! (?:in|if|whether|back|up|on (?!file|record))(?![a-z]))|` +
  'cheking|chequing|' +
  'chk(?:in)?g?|ckg|savings?|sav|svgs|bank(?:ing)?|brokerage|' +
  '(?:direct )?deposit|dd|void(?:ed)? che(?:ck|que)|ahorros?|cheques|banco'
export const WIRE = 'wir(?:e[sd]?|ing)|ach'
export const TRANSFER = `${WIRE}|(?:trans|x)fer(?:s|red|ring)?|transferencias?|transf(?:erir|iera)n?`
/** What goes to an account or comes from it, where the clause says `to` or `from`. */
export const MONEY_TO =
  'deposit(?:s|ed|ing)?|refund(?:s|ed)?|pull(?:ed)?|debit(?:ed)?|draft(?:ed)?|' +
  'deposit(?:ar|en?|o)(?:lo)?|reembolso'

/** Numbers of papers, orders and things. No telephone number is called so. */
const OTHER_PAPER = [
  'invoice|inv|order|ticket|case|ref|reference(?!s)|po|purchase order|confirmation|conf|confirm',
  'acknowledge?ment|ack|rec(?:ei)?pt|rcpt|transaction|tracking|trace|batch',
  'resale|parcel|apn|folio(?: de (?:la |el )?(?:cita|pago|tramite))?|permit|docket|quote|proposal',
  'job(?!s)|project|notice|letter|dln|dcn|eftps?|submission(?: id)?|control|loan|lot|unit(?!s)',
  'part|item|model|serial|sku|upc|barcode|isbn|vin|mls',
  'cusip|naics|duns|ubi|(?:entity|corp|ea) (?:number|no|id)',
  '(?:zoom|webex|teams) id|(?:zoom|webex) meeting|meeting (?:id|number)|instrument|deed|plat|meter',
  'build|commit|version|bsa(?: id(?:entifier)?)?|matter|certified(?: mail)?',
  'bill|statement|warranty|booking|reservation|vendor(?!s)|contract|agreement|application',
  'registration|record(?:ing)?(?!s)|entry|filing|rfp|shipment|delivery|waybill|container|rx',
  'prescription|citation|violation|complaint|incident|appeal|request|session|report|exhibit',
  'certificate|cert|title|bond|grant|award|voucher|asset|equipment|stock|sequence|seq|locator',
  'settlement|swift|fed ?wire|imad|omad|merchant(?!s)|terminal',
  'bates|accession|estimate|work order',
  'document|doc(?= ?#| (?:number|no|id))|folder|lease|escrow (?:number|no|file)|ledger|gl|cost center',
  '(?:account|gl|ledger) code|cycle|txn|tag|utr|npi|ord|trk|envelope|i-?94|judge?ment|lien|ucc',
  'probate|bid|plate|roll|assessment|(?:tax )?map(?: lot|/lot)?|pidn|tms|tmk|geo id|property id',
  'schedule no|clave catastral|folio fiscal|cuenta predial',
  'guia|tramite|contrato|solicitud|orden(?: de (?:compra|trabajo|pago))?|boleta|boleto|anexo',
  'comprobante|transaccion|registro(?: (?:publico|civil))?|certificado|autorizacion|envio',
  'reserva|cotizacion|presupuesto|proveedor|multa|citatorio',
  'acta(?: de (?:nacimiento|matrimonio|defuncion|divorcio))?|placa|matricula',
  'factura|recibo|caso|confirmacion|pedido|referencia|rastreo|escritura|prestamo|oferta',
  'expediente|acuse',
].join('|')
/**
 * The same, and companies, behind which may also stand whom to call or pay. No identity or card
 * number is called so.
 */
export const PAPER = `${OTHER_PAPER}|zelle|venmo|pay ?pal|fed ?ex|ups|usps|amazon|caf|store(?!s)`
/**
 * Papers whose own numbers have none of the forms of an identity or a card number: what comes after
 * `W-9 form` or `check` in such a form is a person's or a company's.
 */
const FORM =
  'form|box|(?<!void |voided )che(?:ck|que)|transcript|formulario|casilla|rma|mrn|con(?:ference|sult) id'
/** Where something is, in a town, a house or a paper: seven digits after one are two numbers. */
const PLACE =
  'units|suite|ste|apt|apartment|bldg|space|locker|hwy|highway|route|rt|rd|pages?|pp|lines|rows|' +
  'items|between|range'
/** Numbers that an insurer or an office gives: of nine digits they may well be the person's own. */
export const FILE =
  'claim|polic(?:y|ies)|licen(?:[sc]e|cia)(?: de [a-z]+)?|flight|badge|group|plan|zip|(?<!e-|on )file|room|' +
  'poliza(?: de [a-z]+)?|lote'
/** What insurance is for, and its paper. */
const INSURED = 'poliza|auto|carro|coche|casa|vida|salud|medico|dental'
/** Insurance, whose telephone number may come straight after it. */
const INSURER = `aseguranza|seguro (?:de )?(?:${INSURED})`
/** Those of them whose numbers may look like a company's. */
const POLICY =
  'claim|polic(?:y|ies)|licen[sc]e|badge|poliza(?: de [a-z]+)?|(?:file|plan|group) ?(?:number|no|#)'
/** Whose such a number is. A telephone number may come straight after these words, too. */
export const HOLDER =
  'member(?:ship)?|subscriber|frequent fl[iy]er|student|employee|customer|client|patient|' +
  'empleado|cliente|estudiante|paciente'
/** Names of amounts. */
export const AMOUNT = [
  'balance|worth|value|total|totals|income|(?<!of |internal )revenue|gain|loss|basis|paid|owes?|owed|wages?',
  'salary|agi|magi|gross|net|receipts|sales|withholding|estimates?|bonus|budget|rent|pension',
  'dividends?|interest',
  'salarios?|ingresos?|ganancias?|saldo|renta|multa|impuestos?|pagos?|pague|debo',
].join('|')
/** Words that come before an amount or a telephone number rather than before an account. */
const HEDGE = 'about|roughly|around|over'

/** Words for calling. Seven digits after one are a telephone number. */
export const CALL = [
  'tel|telephone|phone|ph|(?<!excel )cell(?! ?[a-z]\\d)|mobile(?! homes?(?![a-z]))|mob|fax',
  'whats ?app|sms|text|call|dial|ring|reach(?=[ \\t](?:me|us|her|him|them)(?![a-z]))|voicemail',
  'llam(?:ar|e|[ae](?:me|nos|l[aeo]))|telefono|cel|celular|movil|marcar|marque|mar(?:ca|que)(?:me|nos|le)',
  'escrib[ae](?:me|nos)',
].join('|')

/** Codes and names of currencies. */
const CURRENCY_CODE =
  'usd[tc]?|eur|jpy|krw|mxn|inr|cad|gbp|aud|nzd|chf|cny|brl|cop|php|vnd|idr|clp|ars|hkd|sgd|twd|' +
  'thb|ils|sek|nok|dkk|pln|czk|ngn|kes|zar|pkr|crc|gtq|hnl|dop'
export const BEFORE_AMOUNT = `(?:\\p{Sc}|(?<![a-z])(?:${CURRENCY_CODE}|rs)(?![a-z])[.]?)`
/** What follows an amount. */
export const UNIT =
  `(?:million|thousand|grand|${CURRENCY_CODE}|dollars?|dolares|bucks|euros?|yen|won|pesos?|` +
  'rupees|pounds|percent|pct|bps|%)(?![a-z])'
/** Letters for thousands and more, after a few digits: not in `219099999, K-1` or `219099999 M 1984`. */
export const SHORT_UNIT = '(?:k|mm?|bn?)(?![a-z\\d]|-\\d)'
/** What a count is of: no telephone number comes before it. */
export const MEASURE =
  '(?:sq|sf|ft|feet|miles|km|acres?|shares?|units|employees|people|pages|gal(?:lons)?|lbs?|kg|hits|' +
  'points|pts|(?:per|an?) (?:month|year|week|day|hour)|/ ?(?:month|mo|year|yr|week|wk))(?![a-z])'

const ABBREVIATING_STOP = '(?<![a-z]{5}|[a-z]{3}s)\\.'
/** What may be between a name and its number: no full stop after a whole word, which ends a sentence. */
const UP_TO_NUMBER = `(?:[^a-z\\d.;?!]|${ABBREVIATING_STOP})*`
const OF = `${NUMBER_WORD}|id|is|was|are|were|of|de|es|nro|code`
const straightAfter = (words: string[], linked = OF) =>
  new RegExp(
    `(?<![a-z])(?:${words.join('|')})(?:e?s)?(?![a-z])` +
      `(?:(?:[ ,_-]|${ABBREVIATING_STOP}){1,2}(?:${linked})(?![a-z]))*${UP_TO_NUMBER}$`,
  )

const NAMED_NO_PAPER = straightAfter([AMOUNT, HEDGE, CALL], `${OF}|at|me|us|on|${HEDGE}`)
const HOLDERS_NUMBER =
  `(?:${HOLDER})(?: id)?(?: (?:${NUMBER_WORD}|id)| ?#)|` + `(?:${NUMBER_WORD}) del? (?:${HOLDER})`

export const IDENTITY = [SOCIAL, EMPLOYER, ITIN, ROUTING].join('|')
const placed = (numbers: string, by: string) =>
  `(?:${numbers})(?![a-z])(?:[^a-z\\d]{0,3}(?:${NUMBER_WORD}|is|as|shown|listed|printed)(?![a-z]))*` +
  `[^a-z\\d]{1,3}(?:${by})`
const endsIn = (place: string) => new RegExp(`(?<![a-z])${place}(?: [a-z\\d'-]+){0,3} $`)
/** `SSN on the`, `account number from my`, `EIN per SS-4`: the number stands on the paper after it. */
const ON_PAPER = placed(`${IDENTITY}|${CARD}|${ACCOUNT}`, 'on|per|from|in|under|en|segun|del?')
const STANDS_ON = endsIn(ON_PAPER)
/** The same, or `card for the`, before the paper that is paid. */
const STANDS_ON_OR_PAYS = endsIn(`(?:${ON_PAPER}|${placed(CARD, 'for|para')})`)
/** `SSN for the`, before a word for a person. An account for a client may be one of this service. */
const IS_OF = endsIn(placed(IDENTITY, 'for|of|from|para|del?'))

/** `EIN for plan # is`, `EIN file # `: a policy is not what the number is of. */
const STANDS_ON_OR_IS_OF = new RegExp(
  `${STANDS_ON.source}|${IS_OF.source}|(?<![a-z])(?:${IDENTITY})[^a-z\\d,;]{1,3}$`,
)

const askedFor = (names: string, aWord = "[a-z\\d'-]+") =>
  new RegExp(
    `(?<![a-z])${placed(names, '(?:(?:needed|requested|required) )?(?:for|on|with|to|para|con)')} ` +
      `(?:the|this|that|your|an?|el|la|est[ea]|una?|${OWN})(?: ${aWord}){1,3}` +
      '(?:,? (?:is|was|es)|\\)| ?[:=-])[^a-z\\d]*$',
  )
/**
 * `SSN for the application: `, `my social for the case is `: the number of a person that a paper
 * asks for.
 */
const ASKED_FOR = askedFor(IDENTITY)
/** The same of a telephone number, but for `phone for the case number: `. */
const CALLED_FOR = askedFor(CALL, `(?!(?:${NUMBER_WORD}|id)(?![a-z]))[a-z\\d'-]+`)
const ENDS_TELLING = /(?:[:=)-]|(?<![a-z])(?:is|was|es)) ?$/

/** Whether such a name is straight before a number. */
function isNamedBy(...words: string[]) {
  const name = straightAfter(words)
  return (before: string) => name.test(before)
}

/** The same, where the name does not just tell where the number stands, or whose it is. */
function isOneOf(told: RegExp, ...words: string[]) {
  const name = straightAfter(words)
  return (before: string) => {
    const found = name.exec(before)
    return found !== null && !told.test(before.slice(0, found.index))
  }
}

/**
 * Whether the words before a number call it the number of a paper or a thing, so that its form says
 * nothing.
 */
export const isNamedPaper = isOneOf(STANDS_ON, PAPER)
/** The same of a number in the form of a company's, which no insurer's or licence number is. */
export const isNamedPaperOrPolicy = isOneOf(STANDS_ON_OR_IS_OF, PAPER, POLICY)
const isNamedPaperOrClaim = isOneOf(STANDS_ON_OR_PAYS, PAPER, 'claim')
/** The same of a number in the form of a card's. `bill 4111 …` asks to charge one. */
export const isNamedNoCard = (before: string) =>
  isNamedPaperOrClaim(before) && !/(?<![a-z])bill:? $/.test(before)
/**
 * Papers and offices that have no number in the form of an SSN or a telephone number: one after
 * `W-7 application` is a person's, and one after `EIN unit` may be called.
 */
const LETTER =
  'letter|notice|request|application|agreement|lien|statement|voucher|filing|report|bill|appeal|' +
  'unit|room|rma|mrn'
const isNamedLetter = isNamedBy(LETTER)
/** The same of a number in the form of an SSN or an ITIN. */
export const isNamedPaperOfThreeParts = (before: string) =>
  isNamedPaper(before) && !isNamedLetter(before)
const isNamedAnyPaper = isOneOf(
  STANDS_ON,
  PAPER,
  FORM,
  FILE,
  INSURER,
  OFFICE_ACCOUNT,
  `${LOCAL} tax`,
)
/** Straight behind the name of a number, as in `SSN client: `, it says whose that is. */
const HOLDER_ITSELF = `(?<!(?<![a-z])(?:${IDENTITY})[^a-z\\d,;]{1,3})(?:${HOLDER})`
const isNamedOfHolder = isOneOf(IS_OF, HOLDER_ITSELF)
const HOLDS_HOLDER = new RegExp(HOLDER)
/** Whether the words before a number that has no form of its own call it something else than an account. */
export const isNamedOtherwise = (before: string) =>
  !(ENDS_TELLING.test(before) && ASKED_FOR.test(before)) &&
  (NAMED_NO_PAPER.test(before) ||
    isNamedAnyPaper(before) ||
    (HOLDS_HOLDER.test(before) && isNamedOfHolder(before)))
const NAMED_NO_PHONE = straightAfter(
  [OTHER_PAPER, FORM, FILE, OFFICE_ACCOUNT, AMOUNT, HOLDERS_NUMBER, 'eft|pin'],
  // `case number with the IRS is`
  `${OF}|(?:${NUMBER_WORD}|id) (?:with|at|from|for|on|by) (?:(?:the|my|our) )?[a-z]+(?= (?:is|was)(?![a-z]))`,
)
const MAY_BE_CALLED = straightAfter([LETTER, OFFICE_ACCOUNT], 'is|was')
/**
 * Whether the words before a number call it something else than a telephone number, if it is one of
 * America in its three groups or of another form.
 */
export const isNamedNoPhone = (before: string, isInGroups: boolean) =>
  NAMED_NO_PHONE.test(before) &&
  !(ENDS_TELLING.test(before) && CALLED_FOR.test(before)) &&
  !(isInGroups && MAY_BE_CALLED.test(before))
/** Whether they call digits in one piece an id or a code. */
export const isNamedId = isNamedBy('(?<!caller )i[.]?d|[mt]id|(?<!area )code|codigo|clave')
/** Whether they say where something is, so that `200-4155` are two numbers. */
export const isNamedPlace = isNamedBy(PLACE)

const PAPER_FOLLOWS = new RegExp(
  `^[^a-z\\d]{1,3}(?:is|was|es) (?:the|my|our|your|its|an?|el|la) (?!store|vendor|merchant)` +
    `(?:(?:${PAPER}) (?:${NUMBER_WORD}|id)|(?:${NUMBER_WORD}) (?:de|of) (?:the |la )?(?:${PAPER}))(?![a-z])`,
)
/** Whether the words after a number call it a paper's: `… is the case number`. */
export const isPaperNumber = (after: string) =>
  // The first use of the whole pattern takes milliseconds.
  /^[^a-z\d]{1,3}(?:is|was|es) /.test(after) && PAPER_FOLLOWS.test(after)

/** From `start` up to but without `end`, in UTF-16 code units. */
export interface Span {
  start: number
  end: number
}

/** How many characters beside a number may name it. */
export const NEARBY = 48

// Abbreviations also end in a full stop. An x replaces an amount or a date that was taken out.
const ABBREVIATION =
  '(?<![a-z])(?:[a-wyz]|acct?|cta|soc|sec|no|num|nbr|nro|fed|dept?|emp|sav|chk|ref|inv|conf|id|mrs?|ms|dr|vs)'
/** How a text goes on about the same number. */
const GOES_ON = "a(?=:)|answer|it'?s?|that'?s?|this|here'?s?|mine|the number"
const CLAUSE_END = new RegExp(
  `[;!?] ?(?!(?:${GOES_ON})(?![a-z]))(?=[a-z])` +
    `|(?<!\\.|${ABBREVIATION})\\. (?!(?:${GOES_ON}|number|no)(?![a-z]))(?=[a-z])`,
  'g',
)

/** The text before and after a number, in its clause. */
export interface Clause {
  before: string
  after: string
}

/** `mi seguro 123456789 (poliza de auto)`: what follows tells that it insures, and no other number. */
const INSURES = new RegExp(
  `^[^a-z\\d]{0,3}(?:(?:es|son|del?|la|el|mi|su|numero) )*(?:${INSURED})(?![a-z])(?!.*\\d)`,
)
const INSURANCE = /seguro(?=[^a-z\d]*(?:es )?$)/

/** What is about an account, and is none: `case 123456789 is the account setup`. */
const ABOUT_ACCOUNT = [
  'access|activation|change|clean-?up|clos(?:ing|ure)|conversion|dispute|freeze|inquiry|issue',
  'log-?in|maintenance|migration|opening|problem|question|reconciliation|recovery|request|review',
  'set-?up|transfer|trouble|update|upgrade|verification|phone|cell|fax|line',
  'advis[eo]r|contact|executive|guy|holder|manager|officer|owner|person|rep(?:resentative)?|support|team',
].join('|')
const notBefore = (...words: string[]) => `(?![a-z]| (?:${words.join('|')})s?(?![a-z]))`
/** An account that a number is told to be the number of. */
export const TOLD_ACCOUNT =
  `(?:checking|savings|(?:[a-z]+ )?(?:${ACCOUNT}))` + notBefore(PAPER, FILE, AMOUNT, ABOUT_ACCOUNT)

/** `policy 123456789 is my SSN`, `file # 606325825 (SSN)`, `state account 6813666626 is our account`. */
const IS_TOLD = new RegExp(
  `^ ?\\((?:${OWN} )?(?:${IDENTITY})\\)|^[^a-z\\d]{1,3}(?:is|was|es|it'?s|that'?s) (?:the|la|el|${OWN}) ` +
    `(?:(?:${IDENTITY})${notBefore(PAPER, FILE, AMOUNT)}|${TOLD_ACCOUNT})`,
)
const SAYS_SENSITIVE = word(IDENTITY, ACCOUNT, POT, CARD)

/** The clause of a number in a text made by `plainCopy`, as far as a person would look for its name. */
export function clauseOf(text: string, { start, end }: Span): Clause {
  const before = text
    .slice(Math.max(0, start - NEARBY), start)
    .split(CLAUSE_END)
    .at(-1)!
  const after = text.slice(end, end + NEARBY).split(CLAUSE_END)[0]!
  // What it is told to be counts more than the name of a paper before it.
  if (IS_TOLD.test(after) && !SAYS_SENSITIVE.test(before)) return { before: '', after }
  return { before: INSURES.test(after) ? before.replace(INSURANCE, 'poliza') : before, after }
}

const LIST_LINK = /(?:[ ,;/&+-]|(?<![a-z])(?:and|or|to|through|thru|y|o|a)(?![a-z]))+$/
const shapeOf = (text: string) => text.replace(/\d/g, '0')

/**
 * The words before a list of numbers of one shape, for one of them: `invoices ` for the second of
 * `invoices 25-0001234 and 25-0001235`.
 */
export function beforeList(before: string, number: string): string {
  let rest = before
  for (;;) {
    const listed = rest.replace(LIST_LINK, '')
    const words = listed.slice(0, -number.length)
    const isItem = shapeOf(listed.slice(-number.length)) === shapeOf(number) && listed !== rest
    if (!isItem || /[a-z\d]$/.test(words)) return rest
    rest = words
  }
}
