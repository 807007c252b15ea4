/**
 * The words of the trade, in English and Spanish, as regular expressions for a text made by
 * `matchingCopy`: lower case, without accents. What a clause calls a number decides what it is, for
 * refusals and for labels alike; each word stands here once.
 */

/** Only between letters of other words. */
export const whole = (...words: string[]): string => `(?<![a-z])(?:${words.join('|')})(?![a-z])`
export const word = (...words: string[]): RegExp => new RegExp(whole(...words))

export const NUMBER_WORD = 'number|numero|num|nbr|no|nr'
const NUMBERED = `(?:[. ]{0,2}(?:${NUMBER_WORD})(?![a-z])|[. ]{0,2}#)`

/** Who a number belongs to: `TP 219099999`. Such a word counts only straight before nine digits. */
export const OWNER = [
  't/?p|s/?p|[ts](?=:)|taxpayer|spouse|primary|secondary|filer|dependent|dep|payee|recipient|beneficiary|decedent',
  'husband|hubby|wife|son|daughter|child|kid|mother|father|mom|dad|baby',
  'contribuyente|conyuge|espos[oa]|hij[oa]|dependiente|beneficiari[oa]|madre|padre',
].join('|')

/** A Social Security number, by a name that only the number has. */
export const SSN_ITSELF = [
  `s[. ]{0,2}s[. ]{0,2}n[.']?s?|(?:s\\.? ?s\\.?|s\\.? ?s\\.? ?a\\.?)${NUMBERED}|nss|n[.]s[.]s[.]?`,
  'soc(?:[. ]{1,2}sec)?|tax(?:payer)?[ -]?id[a-z]*|t[.]?i[.]?n|national (?:id|insurance)',
].join('|')
/** Also what names the benefits and the taxes: `social security: 23919`. */
export const SOCIAL = [
  SSN_ITSELF,
  's[.]? ?s[.]?|(?:social|socail|soical|scoial|sosial)s?(?! (?:media|work|event|club|network|service|life|distanc)[a-z]*)(?: ?sec(?:urity)?)?',
  'segur(?:o|idad) social',
].join('|')
export const ITIN = 'i[. ]{0,2}t[. ]{0,2}i[. ]{0,2}n|a[. ]{0,2}t[. ]{0,2}i[. ]{0,2}n'
export const EMPLOYER = [
  "f?[. ]{0,2}e[. ]{0,2}i[. ]{0,2}n[.']?s?|f[.]?e[.]?i[.]?|employer(?:'?s)? (?:id[a-z]*|number|num|nbr|nr|#|no(?=[^a-z]*(?:\\d|$)))",
  "fed(?:eral)?[. ]{1,2}(?:tax )?(?:id[a-z]*|tax|no|number)|(?:tax(?:payer)?|business) ?(?:no|num|number|nr|#)|(?:state|payer'?s?|company) (?:tax )?id",
  'patronal|id(?:entificacion)? (?:del )?(?:patron|empleador)',
].join('|')

export const ROUTING = 'routing|rounting|routeing|rtn|rtg|aba|r/t|(?:numero de )?ruta'
export const TRANSIT = 'transit|transito'
export const CARD =
  'cards?|visa|master ?card|mc|amex|american express|discover|debit|credit|cc|tarjeta|maestro|diners|jcb|unionpay'
/** An account that someone may take money from or send it to. */
export const ACCOUNT =
  '(?:acc?(?:oun|ou|on|n|uon)?ts?|accs?|accts?)(?:number|num|nbr|no)?|a/c|cuenta(?: (?:bancaria|corriente|de (?:ahorros?|cheques)))?|cta|ac ?#|dda|clabe'
/** Kinds of accounts and places where money lies: fewer digits beside them are an amount. */
export const POT =
  'checkings?|cheking|chequing|chk(?:in)?g?|ckg|savings?|sav|svgs|bank(?:ing)?|brokerage|(?:direct )?deposit|dd|ahorros?|cheques|banco'
export const WIRE = 'wir(?:e[sd]?|ing)|ach'
export const TRANSFER = `${WIRE}|(?:trans|x)fer(?:s|red|ring)?|transferencias?|transferir`
/** What goes to an account or comes from it, where the clause says `to` or `from`. */
export const MONEY_TO =
  'deposit(?:s|ed|ing)?|refund(?:s|ed)?|pull(?:ed)?|debit(?:ed)?|draft(?:ed)?|deposit(?:ar|e|o)|reembolso'

/** Numbers of papers, orders and things. No identity, card or telephone number is called so. */
export const PAPER = [
  'invoice|inv|order|ticket|case|ref|reference|po|purchase order|confirmation|conf|confirm|acknowledge?ment|ack|receipt|transaction|tracking|trace|batch',
  'parcel|apn|folio|permit|docket|quote|proposal|job|project|notice|letter|dln|dcn|eftps?|submission(?: id)?|control|loan|lot|unit|part|item|model|serial|sku|upc|barcode|isbn|vin|mls',
  'cusip|naics|instrument|deed|plat|meter|build|commit|version|check|cheque|form|box|bsa(?: id(?:entifier)?)?|caf|matter|certified(?: mail)?|fedex|ups|usps|amazon',
  'bill|statement|warranty|booking|reservation|vendor|contract|agreement|application|registration|record(?:ing)?|entry|filing|rfp|shipment|delivery|waybill|container|rx|prescription|citation|violation|complaint|incident|request|session|report|exhibit|certificate|cert|title|bond|grant|award|voucher|asset|equipment|stock|sequence|seq|transcript|locator|settlement|zelle|venmo|paypal|swift|fedwire|imad|omad|merchant|terminal|store|bates|accession|estimate|work order',
  'guia|tramite|contrato|solicitud|orden|boleta|comprobante|transaccion|registro|certificado|autorizacion|envio|reserva|cotizacion|presupuesto|proveedor|multa|citatorio|acta|placa|matricula',
  'factura|recibo|caso|confirmacion|pedido|referencia|rastreo|escritura|prestamo|formulario|casilla|oferta|expediente|acuse',
].join('|')
/** Numbers that an insurer or an office gives: of nine digits they may well be the person's own. */
export const FILE = 'claim|policy|licen[sc]e|flight|badge|group|plan|zip|file|room|poliza|lote'
/** Whose such a number is. A telephone number may stand straight after these words, too. */
export const HOLDER =
  'member|student|employee|customer|client|patient|empleado|cliente|estudiante|paciente'
/** Names of amounts. */
export const AMOUNT = [
  'balance|worth|value|total|totals|income|revenue|gain|loss|basis|paid|owes?|owed|wages?|salary|agi|magi|gross|net|receipts|sales|withholding|estimates?|bonus|budget|rent|pension|dividends?|interest',
  'salarios?|ingresos?|ganancias?|saldo|renta|multa|impuestos?|pagos?|pague|debo',
].join('|')
/** Words that stand before an amount or a telephone number rather than before an account. */
export const HEDGE = 'about|roughly|around|over'

/** Words for calling. Seven digits after one are a telephone number. */
export const CALL = [
  'tel|telephone|phone|ph|cell|mobile|mob|fax|whatsapp|sms|text|call|dial|ring|reach(?=[ \\t](?:me|us|her|him|them)(?![a-z]))|voicemail',
  'llam(?:ar|e(?:me|nos|lo|la)?)|telefono|cel|celular|movil|marque|marcar',
].join('|')

/** What follows an amount. */
export const UNIT =
  '(?:k|m|mm|b|bn|million|thousand|grand|usd|dollars?|dolares|bucks|eur|euros?|yen|jpy|won|krw|pesos?|mxn|rupees|inr|cad|gbp|pounds|aud|chf|cny|brl|cop|php|percent|pct|bps|%)(?![a-z])'

const straightAfter = (words: string, linked: string): RegExp =>
  new RegExp(`(?<![a-z])(?:${words})(?![a-z])(?: (?:${linked})(?![a-z]))*[^a-z\\d]*$`)

const OF = `${NUMBER_WORD}|id|is|of|de|es|nro`
const NAMED_PAPER = straightAfter(PAPER, OF)
const NAMED_OTHERWISE = straightAfter(
  [PAPER, FILE, HOLDER, AMOUNT, HEDGE, CALL].join('|'),
  `${OF}|at|me|us|on|${HEDGE}`,
)
const HOLDERS_NUMBER = `(?:${HOLDER})(?: id)?(?: (?:${NUMBER_WORD}|id)| ?#)`
const NAMED_NO_PHONE = straightAfter([PAPER, FILE, AMOUNT, HOLDERS_NUMBER].join('|'), OF)

/**
 * Whether the words before a number call it the number of a paper or a thing, so that its form says
 * nothing.
 */
export const isNamedPaper = (before: string): boolean => NAMED_PAPER.test(before)
/** Whether the words before a number that has no form of its own call it something else than an account. */
export const isNamedOtherwise = (before: string): boolean => NAMED_OTHERWISE.test(before)
/** Whether the words before a number call it something else than a telephone number. */
export const isNamedNoPhone = (before: string): boolean => NAMED_NO_PHONE.test(before)
