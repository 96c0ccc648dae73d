import fc from 'fast-check'
import type { Step } from './steps.ts'

/**
 * Which charge is meant: of those that it can be about, the nth, counted from the newest; of any status where `any`.
 */
export type At = { readonly n?: number; readonly any?: true }

export type Sent = {
  /** It carries an idempotency key. */
  readonly key?: true
  /** The next step comes before anything of this one is on disk. */
  readonly hold?: true
  /** How the next questions about this charge fare at the provider. */
  readonly answers?: readonly Answer[]
}

/** What a provider makes of a question; without a word it does what it is asked, and says so at once. */
export type Answer =
  /** It does it, and its answer comes later. */
  | 'late'
  /** It does it, and its answer is lost. */
  | 'silent'
  /** It does it; after a while nobody waits for its answer any more. */
  | 'late silent'
  /** It never hears it. */
  | 'lost'
  /** It does not know yet. */
  | 'pending'
  | 'refused'
  /** It does it, and says so twice at once and once again later. */
  | 'thrice'

const answerWords = ['late', 'silent', 'late silent', 'lost', 'pending', 'refused', 'thrice'] as const

export const yes = fc.constant(true as const)
export const cents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 4, arbitrary: fc.integer({ min: 61, max: 30_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(999_999_999_999, 999_999_999_998) },
)

/** A step of one kind: the fields in `always`, and now and then one of the others. */
export const step = <Always extends object>(
  always: { readonly [Key in keyof Always]: fc.Arbitrary<Always[Key]> },
  others: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.record(always), fc.record(others))
    .map(([first, rest]) => ({ ...first, ...withoutUnsaid(rest) }) as unknown as Step)

const withoutUnsaid = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export const one = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 100 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary })
export const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) => one(12, arbitrary)
export const often = <Value>(arbitrary: fc.Arbitrary<Value>) => one(40, arbitrary)

export const of = <Word extends string>(word: Word) => fc.constant(word)

export const answers = fc.array(fc.constantFrom(...answerWords), { minLength: 1, maxLength: 4 })

export const sent = { key: often(yes), hold: seldom(yes), answers: one(25, answers) }
export const hold = { hold: seldom(yes) }
/** The nth from the newest. */
export const nthOne = { n: often(fc.integer({ min: 1, max: 4 })) }
export const at = { ...nthOne, any: seldom(yes) }
