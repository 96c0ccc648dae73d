import t from 'tap'
import {
  cardScenarios,
  chargeScenarios,
  conversionScenarios,
  transferScenarios,
  triggerDocuments,
  withdrawalScenarios,
} from '../../../engine/sandbox/scenarios.ts'
import { readDocument } from '../../../engine/shared/documents.ts'
import { languages } from '../../../gateway/problems/language.ts'
import { messages } from '../../../gateway/problems/messages/messages.ts'
import { sandboxErrors } from '../../../gateway/sandbox/check.ts'
import { sandboxGuide } from '../../../gateway/sandbox/guide.ts'

/** Decisions, section 29. */
const scenarios =
  'paid never_paid paid_late paid_twice provider_error med refund_fails refund_slow paid_overdue insufficient_balance'
const declines = '05 51 54 57 14 41 43 46 59 61 62 63 78 91'
const cards =
  'approved antifraud processing processing_declined timeout capture_fails refund_fails refund_slow chargeback recurring_expires'
const tokens = [
  ...cards.split(' '),
  ...declines.split(' ').map((code) => `declined_${code}`),
  ...Array.from({ length: 9 }, (_, n) => `recurring_fail_${n + 1}`),
]

t.test('the Sandbox has what was decided, and the guide a sentence on all of it', async (t) => {
  t.strictSame([...chargeScenarios].sort(), scenarios.split(' ').sort())
  t.strictSame([...cardScenarios].sort(), [...tokens].sort())
  // Dashboard, section 2.7.
  t.strictSame(transferScenarios, [
    'transfer_fails',
    'transfer_slow',
    'transfer_silent',
    'transfer_lost',
    'transfer_insufficient',
  ])
  for (const language of languages) {
    const guide = sandboxGuide(language)
    t.strictSame(
      guide.scenarios.map(({ value }) => value),
      [...chargeScenarios, ...conversionScenarios, ...withdrawalScenarios, ...transferScenarios],
    )
    t.strictSame(
      guide.tokens.map(({ value }) => value),
      cardScenarios.map((name) => `tok_test_${name}`),
    )
    t.strictSame(
      guide.documents.map(({ value }) => value),
      ['00000000191', '00000000272', '00000000353'],
    )
    const effects = Object.values(guide).flatMap((rows) => rows.map(({ effect }) => effect))
    for (const effect of effects) t.match(effect, /^[`\p{Lu}].*\.$/u)
  }
  const [english, portuguese] = languages.map((language) => JSON.stringify(sandboxGuide(language)))
  t.not(english, portuguese)
})

t.test('its documents have right check digits', async (t) => {
  for (const document of Object.values(triggerDocuments)) t.match(readDocument(document), { document })
})

const codesOf = (body: object): string[] => sandboxErrors(body).map(({ field, code }) => `${field} ${code}`)

t.test('every scenario and test token that exists passes', async (t) => {
  for (const name of [...scenarios.split(' '), ...tokens])
    t.strictSame(codesOf({ metadata: { sandboxScenario: name } }), [], name)
  for (const name of tokens) t.strictSame(codesOf({ card: { token: ` tok_test_${name} ` } }), [], name)
})

t.test('others are refused with the list of those that exist', async (t) => {
  for (const name of ['Paid', 'paid ', '', 'declined_99', 'recurring_fail_0', 'tok_test_approved', 1, true])
    t.strictSame(codesOf({ metadata: { sandboxScenario: name } }), ['metadata.sandboxScenario INVALID_VALUE'])
  for (const name of ['', 'x', 'paid', 'Approved', 'declined_5', 'recurring_fail_10', 'insufficient_balance'])
    t.strictSame(codesOf({ card: { token: `tok_test_${name}` } }), ['card.token INVALID_VALUE'], name)
  const both = sandboxErrors({ metadata: { sandboxScenario: 'x' }, card: { token: 'tok_test_x' } })
  for (const say of Object.values(messages)) {
    const [scenario, token] = both.map(({ message }) => message(say))
    for (const name of [...scenarios.split(' '), ...tokens]) t.ok(scenario!.includes(name), name)
    for (const name of tokens) t.ok(token!.includes(`tok_test_${name}`), name)
  }
})

t.test('whatever else a body holds is nobody’s business', async (t) => {
  const bodies = [
    {},
    { metadata: {}, card: {} },
    { metadata: null, card: null },
    { metadata: 'paid', card: 'tok_test_x' },
    { metadata: ['sandboxScenario'] },
    { metadata: { scenario: 'x', sandboxscenario: 'x' } },
    { card: { token: 'tok_live_1' } },
    { card: { token: 'x tok_test_y' } },
    { card: { token: 5 } },
    // What is no value of metadata is told by the schema.
    { metadata: { sandboxScenario: null } },
    { metadata: { sandboxScenario: {} } },
  ]
  for (const body of bodies) t.strictSame(codesOf(body), [], JSON.stringify(body))
})
