import { forReading } from './sensitive-data/prepared-text.ts'

/** How a tool writes a place that it fills, and where it says so. A name of a person holds none of these. */
interface TemplateForm {
  tools: string
  form: RegExp
  source: string
}

const TEMPLATE_FORMS: readonly TemplateForm[] = [
  {
    tools: 'n8n, Zapier, Make, HubSpot, Handlebars, Mustache, Jinja, Liquid: {{…}} and {%…%}',
    form: /\{\{[^{}]*\}\}|\{%[^{}]*%\}/u,
    source:
      'https://mintlify.com/n8n-io/n8n/workflows/expressions, https://mustache.github.io/mustache.5.html',
  },
  {
    tools: 'n8n, without its braces: $json.name, $node["Form"].json.name, $(\'Form\').item',
    form: /\$(?:json|node|input|items?|vars|workflow|binary)\b|\$\(\s*['"]/u,
    source: 'https://mintlify.com/n8n-io/n8n/workflows/expressions',
  },
  {
    tools: "Power Automate: @{triggerBody()?['name']}, @triggerBody()",
    form: /@\{[^{}]*\}|@(?:trigger|body|items?|outputs|variables|parameters)\w*\(/iu,
    source: 'https://learn.microsoft.com/azure/logic-apps/logic-apps-workflow-definition-language',
  },
  {
    tools: 'Salesforce: {!Contact.Name}, and Marketing Cloud: %%FirstName%%',
    form: /\{![^{}]*\}|%%[\s=]*[\p{L}_][^%]*%%/u,
    source:
      'https://help.salesforce.com/s/articleView?id=sales.merge_fields_email_templates_cex.htm',
  },
  {
    tools: 'Mailchimp: *|FNAME|*',
    form: /\*\|[^|]*\|\*/u,
    source: 'https://mailchimp.com/developer/marketing/docs/merge-fields/',
  },
  {
    tools: 'Spreadsheets: #REF!, #N/A, #NAME?, =A2, =VLOOKUP(…)',
    form: /#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|ERROR!|SPILL!|CALC!)|^\s*=\s*(?:'?[\p{L}\d ]+'?!)?(?:\$?[A-Z]{1,3}\$?\d+|[A-Z]{2,}\()/iu,
    source: 'https://sheets.wiki/docs/Error',
  },
  {
    tools: 'Word: «Name», MERGEFIELD Name; Google Docs add-ons: <<Name>>',
    form: /«[^«»]*»|<<[^<>]*>>|\bMERGEFIELD\b/u,
    source:
      'https://office.microsoft.com/en-us/training/use-mail-merge-for-mass-mailings-and-more-RZ001120568.aspx',
  },
  {
    tools: 'JavaScript, shells, Java: ${name}; Ruby, Twilio Studio: #{name}; ERB, EJS: <%= name %>',
    form: /[$#]\{[^{}]*\}|<%[^<>]*%>/u,
    source: 'https://developer.mozilla.org/docs/Web/JavaScript/Reference/Template_literals',
  },
  {
    tools:
      'Windows: %NAME%; Python: %(name)s, {name}, {0}; forms: <name>, [name]; others: ##name##',
    form: /%\(\w+\)s|[{<[%][\s{]*[\p{L}_][\p{L}\p{N}_. -]*[\s}]*[}>\]%]|\{\d?\}|##[\p{L}_][\p{L}\p{N}_. ]*##/u,
    source: 'https://docs.python.org/3/library/string.html#format-string-syntax',
  },
  {
    tools: 'JavaScript: an object that became a text',
    form: /\[object \w+\]/u,
    source:
      'https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/Object/toString',
  },
]

/** Whether a text holds a place of a template that a program left unfilled. */
export function holdsTemplate(text: string): boolean {
  const read = forReading(text)
  return TEMPLATE_FORMS.some(({ form }) => form.test(read))
}
