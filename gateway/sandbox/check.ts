// What merchants can make the Sandbox do, by scenarios and test tokens: their check, and the texts
// that document them.
import { cardScenarios, scenarios, testTokenPrefix } from '../../engine/sandbox/scenarios.ts'
import type { FieldError } from '../problems/problem.ts'

/**
 * Errors for scenarios and test tokens that the Sandbox does not have: a typo would otherwise silently have no effect. Any other
 * card token is approved.
 */
export const sandboxErrors = (body: unknown): readonly FieldError[] => {
  const { metadata, card } = body as { readonly metadata?: unknown; readonly card?: unknown }
  const errors: FieldError[] = []
  const scenario = memberOf(metadata, 'sandboxScenario')
  // Anything that metadata cannot hold is reported by the schema.
  if (scenario !== undefined && typeof scenario !== 'object' && !scenarioNames.has(scenario)) {
    const field = 'metadata.sandboxScenario'
    const message: FieldError['message'] = (say) => say.mustBe(field, say.wanted.oneOf(scenarios))
    errors.push({ field, code: 'INVALID_VALUE', message })
  }
  const token = memberOf(card, 'token')
  if (typeof token === 'string' && token.trim().startsWith(testTokenPrefix) && !tokens.has(token.trim()))
    errors.push({
      field: 'card.token',
      code: 'INVALID_VALUE',
      message: (say) => say.unknownTestToken('card.token', testTokenPrefix, [...tokens]),
    })
  return errors
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

const scenarioNames: ReadonlySet<unknown> = new Set(scenarios)
const tokens: ReadonlySet<string> = new Set(cardScenarios.map((name) => testTokenPrefix + name))
