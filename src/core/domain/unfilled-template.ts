import { lazily } from './lazy.ts'
import { TextCopy, decodedCopy, forReading } from './sensitive-data/prepared-text.ts'

/** What a place holds besides. It is short, so that many that do not end take linear time. */
const REST = '[^\\]>»%]{1,80}'
/**
 * What a place is called, in signs that people use, too: `[Client Name]`, but not `[out of state]`,
 * nor digits as in `[$2.50]`. The repetition holds a group that is kept: without one V8 writes it
 * out three times, and the first use takes ten times as long.
 */
const FIELD_NAME =
  `[\\s={@$:]*(?:(?:insert|enter|fill in|field|merge ?field|text)[ :_-]${REST}|` +
  '(?:(your|our|the|new|old|first|last|full|client|customer|contact|user|guest|order|booking|random|' +
  "company|practice|appointment|meeting|idempotency|unique)(?:['’]s)?[ _-]?){0,3}" +
  '(?:f?name|lname|e-?mail|phone|address|date|day|time|reason|amount|number|client|customer|contact|' +
  `company|user|title|id|uuid|guid|key|value|placeholder)(?:[ _-]here)?(?:[,|\\s](?:${REST})?)?|` +
  '\\p{L}[\\p{L}\\d]*(?:[_.][\\p{L}\\d]+)+)[\\s}]*'

/** What automations call what a step was given or has made. */
const STEP_DATA =
  'msg|steps|trigger|event|context|payload|inputs?|inputData|bundle|fields|item|body|data|answers|' +
  'output|params|re(?:q|quest|sponse|sult|cord)|row|json|form|contact|client|customer'

/**
 * How tools write a place that they fill, and where they say so. A name of a person holds none of these.
 */
const TEMPLATE_FORMS = lazily(() => [
  // n8n, Zapier, Make, HubSpot, Handlebars, Mustache, Jinja, Liquid: {{…}}, also cut off, and {%…%}
  // https://mintlify.com/n8n-io/n8n/workflows/expressions
  // https://mustache.github.io/mustache.5.html
  /\{\{|\}\}|\{%[^{}]*%\}/u,
  // n8n, without its braces: $json.name, $node["Form"].json.name, $('Form').item
  // https://mintlify.com/n8n-io/n8n/workflows/expressions
  /\$(?:json|node|input|items?|vars|workflow|binary)\b(?! )|\$\(\s*['"]/u,
  // Power Automate: @{triggerBody()?['name']}, @triggerBody()
  // https://learn.microsoft.com/azure/logic-apps/logic-apps-workflow-definition-language
  /@\{[^{}]*\}|@(?:trigger|body|items?|outputs|variables|parameters)\w*\(|^\w+\((?:'[^']*')?\)\??\[/iu,
  // Salesforce: {!Contact.Name}, and Marketing Cloud: %%FirstName%%
  // https://help.salesforce.com/s/articleView?id=sales.merge_fields_email_templates_cex.htm
  /\{![^{}]*\}|%%[\s=]*[\p{L}_][^%]*%%/u,
  // Mailchimp: *|FNAME|*
  // https://mailchimp.com/developer/marketing/docs/merge-fields/
  /\*\|[^|]*\|\*/u,
  // Spreadsheets: #REF!, #N/A, #NAME?, =A2, =VLOOKUP(…)
  // https://sheets.wiki/docs/Error
  /#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|ERROR!|SPILL!|CALC!)|^\s*=\s*(?:'?[\p{L}\d ]+'?!)?(?:\$?[A-Z]{1,3}\$?\d+|[A-Z]{2,}\()/iu,
  // Word: MERGEFIELD Name, «Name»; GetResponse: [[name]]
  // https://office.microsoft.com/en-us/training/use-mail-merge-for-mass-mailings-and-more-RZ001120568.aspx
  new RegExp(String.raw`\bMERGEFIELD\b|«${FIELD_NAME}»|\[\[[^[\]]*\]\]`, 'iu'),
  // JavaScript, Java: ${name}; Ruby, Twilio Studio: #{name}; ERB, EJS, PHP: <%= name %>; Zoho:
  // $[NAME]$
  // https://developer.mozilla.org/docs/Web/JavaScript/Reference/Template_literals
  /[$#]\{[^{}]*\}|<[%?][^<>]*[%?]>|\$\[[^[\]]*\]/u,
  // Shells: $(uuidgen), $NAME, `uuidgen`; JSONPath, Step Functions: $.name; Node-RED: msg.payload;
  // Dialogflow: $session.params.name
  // https://www.gnu.org/software/bash/manual/html_node/Command-Substitution.html
  new RegExp(
    String.raw`\$\(\s*[\p{L}_][\p{L}\d_. -]*\)|^\s*\$+[\p{L}_][\p{L}_.]*\$*\s*$|\$\.\p{L}|` +
      String.raw`(?<![\p{L}\d$])\$\p{L}+[_.][\p{L}_.]+(?!\d)|^\s*\x60[^\x60]+\x60\s*$|` +
      String.raw`^\s*(?:${STEP_DATA})(?:\??\.(?!\d)|\[)[\p{L}\d_.?[\]'"]+\s*$(?<!\.(?:pdf|docx|xlsx|csv|com|org|net))`,
    'u',
  ),
  // Windows, ActiveCampaign: %NAME%; Python: %(name)s, {name}, {0}; printf: %s; forms: <name>,
  // [name]; Google Docs add-ons: <<name>>
  // https://docs.python.org/3/library/string.html#format-string-syntax
  new RegExp(
    String.raw`%\(\w+\)s|(?<![\p{L}\d%])%(?:\d+\$[sd]|\d*d|s|v|@)(?![\p{L}\d])|(?<![\d%] ?)%[\p{L}_][\p{L}\d_.]*%|` +
      String.raw`\{[\s@$%]*[\p{L}_][\p{L}\p{N}_. ()'"[\]-]*(?:![rsa])?[\s!%]*(?:[|:][^{}]*)?\}|` +
      String.raw`\{[01]?(?:[:!][^{}]{1,10})?\}|` +
      String.raw`\[${FIELD_NAME}\]|<${FIELD_NAME}>|^\s*[<[]+[\p{L}_.-]+[>\]]+\s*$`,
    'iu',
  ),
  // ColdFusion: #name#, Keap: ~Contact.FirstName~, Rails, SQL: :name, and others with one sign at
  // both ends
  // https://api.rubyonrails.org/classes/ActionDispatch/Routing.html
  new RegExp(
    String.raw`##[\p{L}_][\p{L}\p{N}_. ]*##|\[([%#~]) [^[\]]*\1\]|^\s*[:&@][\p{L}_][\p{L}_.]*\s*$|` +
      String.raw`^\s*([#~|@$&]|__|--|@@|\|\|)[\p{L}_][\p{L}_.]*\2\s*$`,
    'u',
  ),
  // JavaScript, Python, Go, Ruby: an object, a function or nothing that became a text; a call that
  // was not made
  // https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/Object/toString
  new RegExp(
    String.raw`\[(?:object|Function|AsyncFunction|class)\b[^[\]]*\]|<[^<>]* at 0x[\da-f]+>|#<[A-Z]\w*[^<>]*>|` +
      String.raw`<(?:built-in|bound|function|class|coroutine|no value|nil)\b[^<>]*>|Promise \{|%!\w\(|` +
      String.raw`\bfunction ?\w*\(\w*\) ?\{|^[\p{L}\d_.:[\]]+\(\)$|^\s*[[{]\s*["']`,
    'u',
  ),
])

/** What Markdown puts before signs that are not its own. */
const ESCAPES = /\\(?=[{}[\]<>%$*|_])/g

/**
 * Names and plain sentences: every form above needs another sign, one of these in another place, `--`,
 * `()`, or the word MERGEFIELD. To read all forms for the first time takes milliseconds.
 */
const PLAIN_WORDS =
  /^(?:(?!mergefield|--|\(\))[a-zÀ-ɏ\d\s'’"“”,/()+–—-]|[.!?;:&%](?=\s|$)|(?<=\d)[.:](?=\d)|[$#](?=\d))*$/iu

/** A value that a program did not have, as a whole text. */
const NO_VALUE = /^\W*(?:(?:undefined|null|NULL|NaN)\W*)+$/

/** A warning where one of these texts, which `hold` in a sentence, holds such a place. */
export const unfilledWarnings = (hold: string, texts: readonly string[]) =>
  texts.some((text) => holdsTemplate(text) || NO_VALUE.test(text))
    ? [`${hold} a place of a template that a program did not fill. Make sure of the text.`]
    : []

/** Whether a text holds a place of a template that a program left unfilled. */
export function holdsTemplate(text: string): boolean {
  if (PLAIN_WORDS.test(text)) return false
  const decoded = decodedCopy(new TextCopy(text)).text.replaceAll(ESCAPES, '')
  const read = [...new Set([text, decoded])].map(forReading)
  return read.some((one) => TEMPLATE_FORMS().some((form) => form.test(one)))
}
