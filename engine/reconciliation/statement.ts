import type { Initiator } from '../shared/initiator.ts'
import type { Cents } from '../shared/money.ts'

/** A line of a bank's statement, as far as it can be compared. */
export type StatementMovement = {
  readonly kind: MovementKind
  /** What came in is positive, what left negative. */
  readonly cents: Cents
  /** The id of the PIX, or of its return; null where the statement has none. */
  readonly endToEndId: string | null
  /** Null where the statement says the day alone. */
  readonly atMs: number | null
  /** Our reference, where the bank itself shows it with what we have sent. Missing elsewhere, and in files. */
  readonly reference?: string
}

/** OTHER is what has nothing to do with PIX: the account may be used for other things, too. */
export const movementKinds = ['PIX_IN', 'PIX_OUT', 'RETURN', 'TARIFF', 'OTHER'] as const
export type MovementKind = (typeof movementKinds)[number]

/** A statement as a person gave it. */
export type StatementFile = {
  readonly digest: string
  readonly by: Initiator
  readonly atMs: number
  readonly movements: readonly StatementMovement[]
}

/** What was compared of a bank's statement of a day beside its sums. */
export type ThirdBook = {
  /** The bank itself gave it, or a person gave a file. */
  readonly source: 'BANK' | 'FILE'
  /** What the file's bytes hash to; null for what the bank itself gave. */
  readonly digest: string | null
  /** What the bank took for PIX, less what it gave back of that. */
  readonly tariffCents: Cents
  /** What it takes for what moved, by the terms of the connection; null where they are not known. */
  readonly termsCents: Cents | null
  /** Lines that are no PIX of ours. */
  readonly othersCount: number
}

/** A PIX that left, by the bank's statement, for nothing that is known here. */
export type StrangePix = Pick<StatementMovement, 'endToEndId'> & { readonly amountCents: Cents }

/** The most of them that a comparison holds. */
export const strangeMax = 500

/** Whether it was this file that was compared. */
export const isSameStatement = ({ digest }: StatementFile, third: ThirdBook | undefined): boolean =>
  third?.digest === digest

/** The most lines of one day in a file. Busier accounts have a bank that gives its statement itself. */
export const movementsMax = 5_000
