import type { ApiProblem } from './problem.ts'
import { newStore } from './store.ts'

/** The operation that a factor is bound to. */
export type Operation = { readonly verb: string; readonly path: string; readonly body: string }

/** A factor that the person gave: the header for its request, or null where it renewed the session instead. */
export type Factor = { readonly header: string | null }

/** A question to the person, which a dialog shows until it is answered. */
export type FactorQuestion = {
  /** For the session, or for one operation. */
  readonly kind: 'SESSION' | 'OPERATION'
  readonly methods: readonly string[]
  readonly operation: Operation
  /** Why the factor before was refused. */
  readonly refusal: ApiProblem | null
  readonly answer: (factor: Factor | null) => void
}

export const factorQuestion = newStore<FactorQuestion | null>(null)

/** What the person is about to sign, as terms and values: the dialog repeats it where it asks for the factor. */
export const signed = newStore<readonly (readonly [term: string, value: string])[]>([])

/** Does an operation whose second factor signs these facts. */
export const signing = async <Value>(
  facts: readonly (readonly [string, string])[],
  act: () => Promise<Value>,
): Promise<Value> => {
  signed.set(facts)
  try {
    return await act()
  } finally {
    signed.set([])
  }
}

/** Asks the person for the factor that a refusal demands. Null if it demands none, or the person gives none. */
export const askFactor = (
  problem: ApiProblem,
  operation: Operation,
  before: Factor | null,
): Promise<Factor | null> => {
  const kind = kinds[problem.code]
  // A page that sends a code itself, as to add an authenticator app, shows its error at its own field.
  const isOfPage = problem.code === 'SECOND_FACTOR_INVALID' && !before?.header
  if (kind === undefined || isOfPage) return Promise.resolve(null)
  const { methods } = problem.extra
  return new Promise((resolve) =>
    factorQuestion.set({
      kind,
      methods: Array.isArray(methods) ? methods.map(String) : ['totp', 'passkey'],
      operation,
      refusal: problem.code === 'SECOND_FACTOR_INVALID' ? problem : null,
      answer: (factor) => {
        factorQuestion.set(null)
        resolve(factor)
      },
    }),
  )
}

const kinds: Readonly<Record<string, FactorQuestion['kind']>> = {
  STEP_UP_REQUIRED: 'SESSION',
  SECOND_FACTOR_REQUIRED: 'OPERATION',
  SECOND_FACTOR_INVALID: 'OPERATION',
}
