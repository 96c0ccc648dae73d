import { dayOf } from '../days.ts'

/** One movement of the receiver's account. */
export type Movement = {
  readonly atMs: number
  readonly kind: MovementKind
  /** What came in is positive, what went out negative. */
  readonly cents: number
  readonly endToEndId: string
  readonly txid: string | null
  /** The id of a return, and that of the message that returned it; null for other movements. */
  readonly returnId: string | null
  readonly rtrId: string | null
  /** What the sender of a PIX has written; missing where that is not known here. */
  readonly text?: string
}

export type MovementKind =
  /** A PIX came in. */
  | 'RECEIVED'
  /** The receiver gave it back, in the bank's app or through the API. */
  | 'RETURNED'
  /** The payer's bank got it back against the receiver's will. */
  | 'MED_RETURNED'
  /** Such a return was contested, and the money came back. */
  | 'MED_REVERSED'
  /** The receiver sent a PIX. */
  | 'SENT'
  /** A PIX sent came back. */
  | 'SENT_RETURNED'
  /** What the bank took for a PIX. */
  | 'TARIFF'
  /** What has nothing to do with PIX. */
  | 'OTHER'

/** What a bank's statement of one day shows. */
export type DayStatement = {
  readonly day: string
  readonly openingCents: number
  readonly closingCents: number
  /** The sum of each kind of movement, signed. */
  readonly sums: Readonly<Record<MovementKind, number>>
  readonly movements: readonly Movement[]
}

/** The bank's own account of the receiver's money, kept apart from what its interface shows. */
export type BankBook = {
  readonly record: (movement: Movement) => void
  readonly movements: () => readonly Movement[]
  readonly balanceCents: () => number
  /** The balance that can be used: without what a MED blocks. */
  readonly availableCents: () => number
  readonly block: (id: string, cents: number) => void
  readonly unblock: (id: string) => void
  readonly statement: (day: string) => DayStatement
}

/** Opens a book with money in it, as an account has that is in use. */
export const openBook = (openingCents: number): BankBook => {
  const movements: Movement[] = []
  const blocked = new Map<string, number>()
  const sum = (of: readonly Movement[]) => of.reduce((total, { cents }) => total + cents, 0)
  let balance = openingCents
  return {
    record: (movement) => {
      movements.push(movement)
      balance += movement.cents
    },
    movements: () => [...movements],
    balanceCents: () => balance,
    availableCents: () => balance - [...blocked.values()].reduce((total, cents) => total + cents, 0),
    block: (id, cents) => {
      blocked.set(id, cents)
    },
    unblock: (id) => {
      blocked.delete(id)
    },
    statement: (day) => {
      const before = movements.filter(({ atMs }) => dayOf(atMs) < day)
      const ofDay = movements.filter(({ atMs }) => dayOf(atMs) === day)
      const openingOfDay = openingCents + sum(before)
      const sums = Object.fromEntries(
        movementKinds.map((kind) => [kind, sum(ofDay.filter((movement) => movement.kind === kind))]),
      ) as Record<MovementKind, number>
      return {
        day,
        openingCents: openingOfDay,
        closingCents: openingOfDay + sum(ofDay),
        sums,
        movements: ofDay,
      }
    },
  }
}

const movementKinds: readonly MovementKind[] = [
  'RECEIVED',
  'RETURNED',
  'MED_RETURNED',
  'MED_REVERSED',
  'SENT',
  'SENT_RETURNED',
  'TARIFF',
  'OTHER',
]
