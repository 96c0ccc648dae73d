import { toCents } from '../shared/money.ts'
import type { ComparedDay, DayBook, Difference, Reconciliation } from './reconciliation.ts'
import type { StatementFile, StatementMovement, ThirdBook } from './statement.ts'

/** What a statement has of PIX: what came in, and what went back. */
export const bookOfStatement = (movements: readonly StatementMovement[]): DayBook => {
  let [count, amount, returned] = [0, 0, 0]
  for (const { kind, cents } of movements) {
    if (kind === 'PIX_IN') {
      count += 1
      amount += cents
    }
    if (kind === 'RETURN' && cents < 0) returned -= cents
  }
  return { count, amountCents: toCents(amount), returnedCents: toCents(returned) }
}

/** What a bank took for PIX by its statement, less what it gave back of that. */
export const tariffsIn = (movements: readonly StatementMovement[]): number =>
  -movements.reduce((sum, { kind, cents }) => sum + (kind === 'TARIFF' ? cents : 0), 0)

/** A day of the Sandbox with a statement: its books are made up, so that only sums can be compared. */
export const withStatementSums = (
  known: Reconciliation,
  { digest, movements }: StatementFile,
): { readonly compared: Omit<ComparedDay, 'accountId'>; readonly third: ThirdBook } => {
  const { connectionId, providerId, date, bank, ours } = known
  const statement = bookOfStatement(movements)
  const distance =
    Math.abs(statement.amountCents - ours.amountCents) +
    Math.abs(statement.returnedCents - ours.returnedCents)
  const others = known.differences.filter(({ kind }) => kind !== 'STATEMENT')
  const whole: Difference = {
    kind: 'STATEMENT',
    endToEndId: null,
    txid: null,
    bankCents: statement.amountCents,
    oursCents: ours.amountCents,
  }
  const differences = distance === 0 ? others : [...others, whole]
  const before = others.reduce(
    (sum, { bankCents, oursCents }) => sum + Math.abs((bankCents ?? 0) - (oursCents ?? 0)),
    0,
  )
  return {
    compared: {
      ...{ connectionId, providerId, date, bank, ours, statement, differences },
      differencesCount: differences.length,
      differenceCents: toCents(before + distance),
    },
    third: {
      source: 'FILE',
      digest,
      tariffCents: toCents(tariffsIn(movements)),
      termsCents: null,
      othersCount: movements.filter(({ kind }) => kind === 'OTHER').length,
    },
  }
}
