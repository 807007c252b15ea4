import { describe, expect, it } from 'vitest'

import { placeholderWarnings, standsForNothing } from '../../../../src/core/domain/name.ts'
import { holdsTemplate } from '../../../../src/core/domain/unfilled-template.ts'

describe('a place of a template that a program left unfilled is known', () => {
  it.each([
    '{{ $json.name }}',
    'name}}',
    '{"name": "Dana"}',
    "@triggerBody()?['name']",
    '{!Contact.Name}',
    '%%=v(@name)=%%',
    '*|FNAME|*',
    '#REF!',
    '#N/A',
    '#NAME?',
    '=A2',
    '=Sheet1!B4',
    '=VLOOKUP(A2,B:C,2)',
    '«Name»',
    '${client.name}',
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
    '$[NICKNAME|there]$',
    '~Contact.Nickname~',
    '#nickname#',
    '[form.line1]',
    '{1}',
    '{Name (First):1.3}',
    '%1$s',
    '&lt;&lt;Client Name&gt;&gt;',
    '%7B%7Bname%7D%7D',
    '\\{\\{first\\_name\\}\\}',
    '{}',
    '[insert name [here]]',
    '[% client.name %]',
    '[firstname,fallback=there]',
    '[field id="nickname"]',
    '<?php echo $nickname; ?>',
    '[Function (anonymous)]',
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
    'Client #4',
    '50% Holdings LLC',
    'Cash $ Carry Inc',
    'E=mc2 Tutors',
    'I need the K-1 {2024} please',
    'Refund < 500 and > 100',
    'C# and F# lessons',
    'We are out [second time this week]',
    '[no show]',
    '«El Norte» SA de CV',
    'a < b and c > d',
    'A$AP & Ke$ha Tours',
    '$mart Money LLC',
    'About $100',
    'output.pdf',
    'C:\\Taxes\\2025',
    '$100',
    ':30',
    '{12}',
    '<1.5>',
    'For [2024_2025]',
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
