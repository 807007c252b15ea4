import { describe, expect, it } from 'vitest'

import { placeholderWarnings, standsForNothing } from '../../../../src/core/domain/name.ts'
import { holdsTemplate } from '../../../../src/core/domain/unfilled-template.ts'

describe('a place of a template that a program left unfilled is known', () => {
  it.each([
    '{{ $json.name }}',
    "{{ $('Form').item.json.email }}",
    "={{ $node['Form'].json.name }}",
    '$json.body.name',
    '{{1.name}}',
    '{{12.`First Name`}}',
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
  ])('%s', (text) => expect(holdsTemplate(text)).toBe(false))
})
