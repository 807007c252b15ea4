import { describe, expect, it } from 'vitest'

import { placeholderWarnings, standsForNothing } from '../../../../src/core/domain/name.ts'
import { holdsTemplate } from '../../../../src/core/domain/unfilled-template.ts'

describe('a place of a template that a program left unfilled is known', () => {
  it.each([
    '{{ $json.name }}',
    "{{ $('Form').item.json.email }}",
    "={{ $node['Form'].json.name }}",
    '$json.body.name',
    'name}}',
    '{"name": "Dana"}',
    '{{3.data[].name}}',
    '{{184662197__name}}',
    '{{ contact.firstname }}',
    '{{{Recipient.Name}}}',
    'Dana {{last_name}}',
    '{% if name %}{{name}}{% endif %}',
    "@{triggerBody()?['name']}",
    "@triggerBody()?['name']",
    "@{items('Apply_to_each')?['Title']}",
    '{!Contact.Name}',
    '{!$Record.Name}',
    '%%First Name%%',
    '%%=v(@name)=%%',
    '*|FNAME|*',
    '*|MERGE1|* *|LNAME|*',
    '#REF!',
    '#N/A',
    '#NAME?',
    '=A2',
    '=Sheet1!B4',
    '=VLOOKUP(A2,B:C,2)',
    '«Name»',
    '<<Client Name>>',
    '${client.name}',
    '#{name}',
    '<%= name %>',
    '%(name)s',
    '%USERNAME%',
    '{0}',
    '{name}',
    '[Client Name]',
    '##NAME##',
    '[object Object]',
    '$nickname',
    ':nickname',
    '$session.params.nickname',
    '$(nickname)',
    '$[NICKNAME|there]$',
    '~Contact.Nickname~',
    '#nickname#',
    '[[nickname]]',
    '{Nickname:1.3}',
    '[form.line1]',
    '{1}',
    '{Name (First):1.3}',
    '%1$s',
    '&lt;&lt;Client Name&gt;&gt;',
    '&#123;&#123;name&#125;&#125;',
    '%7B%7Bname%7D%7D',
    '\\{\\{first\\_name\\}\\}',
    '{}',
    '[insert client name, please]',
    '[insert name [here]]',
    '[% client.name %]',
    '[firstname,fallback=there]',
    '[field id="nickname"]',
    '<?php echo $nickname; ?>',
    'Dear %s',
    '[Function (anonymous)]',
    '<function nickname at 0x7f3a>',
    '%!s(MISSING)',
    'nickname()',
    "triggerBody()?['nickname']",
    'answers[0].nickname',
    "{client['nickname']}",
    '{nickname!r}',
    "[Client's Name]",
  ])('%s', (text) => {
    expect(holdsTemplate(text)).toBe(true)
    expect(standsForNothing(text)).toBe(true)
    expect(placeholderWarnings(text)).toHaveLength(1)
  })
})

describe('what people write is none', () => {
  it.each([
    'Dana Quillfeather',
    'Ann-Marie O’Neil (she/her)',
    'José "Pepe" Núñez',
    'Smith & Sons, LLC',
    'Client #4',
    'Trust u/a 5/1/2020',
    'A+ Plumbing',
    '50% Holdings LLC',
    'Cash $ Carry Inc',
    'E=mc2 Tutors',
    'Dana (née Roe)',
    'I need the K-1 {2024} please',
    'Half is 50%, the rest 25 % each',
    'See you @ 3, or @home later',
    'Line 5 = 12,400',
    'Refund < 500 and > 100',
    'C# and F# lessons',
    '#1 client',
    'The fee goes from 5% to 6% this year',
    'We are out [second time this week]',
    '[no show]',
    '«El Norte» SA de CV',
    'The letter <from the IRS> came',
    'a < b and c > d',
    'A$AP & Ke$ha Tours',
    '$mart Money LLC',
    'Yahoo! (Oath)',
    '~ Dana ~',
    'Data%Works',
    'About $100',
    'output.pdf',
    'Profit &amp; Loss, 5%20 of it',
    'C:\\Taxes\\2025',
    'It rose %1 or $1 a share',
    '$100',
    ':30',
    'Apartment {5}',
    '{12}',
    '[$2.50]',
    'Open [10.30]',
    '<1.5>',
    'For [2024_2025]',
    "[Client's K-1]",
    '<100.000>',
    '«1.5»',
  ])('%s', (text) => expect(holdsTemplate(text)).toBe(false))
})

describe('eight times the text takes about eight times as long', () => {
  it.each(
    '[insert |<insert:|«insert a|[name |<name,|[client_|<a_|[a.|[% |[# |[~ x|{{|{a:|{a|%a|%(a|$(|$a.|##a|<a at 0x|[object |function a|`'.split(
      '|',
    ),
  )('%j', (fill) => {
    const cost = (length: number) => {
      const started = process.cpuUsage()
      for (const tail of ['', '!', '\n x']) holdsTemplate(fill.repeat(length / fill.length) + tail)
      return process.cpuUsage(started).user / 1000
    }
    // One measurement may be of the garbage collector.
    const isLinear = () => cost(24_000) < 20 * cost(3_000) + 40
    expect(isLinear() || isLinear() || isLinear()).toBe(true)
  })
})
