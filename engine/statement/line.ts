import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert } from '../shared/assert.ts'
import type { AccountId, StatementLineId } from '../shared/ids.ts'
import type { Method } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly statementLine: StatementLine
  }
  interface ActorFacts {
    readonly statementLine: StatementLineFact
  }
}

export const statementTypes = [
  'SETTLEMENT',
  'REFUND',
  'CHARGEBACK',
  'MED',
  'TRANSFER',
  'FEE',
  'SPLIT',
  'CONVERSION',
  'TAX_WITHHELD',
  'FEE_DIFFERENCE',
] as const
export type StatementType = (typeof statementTypes)[number]

/** What people call them. */
export const statementTypeNames: Readonly<Record<'en' | 'pt', Readonly<Record<StatementType, string>>>> = {
  en: {
    SETTLEMENT: 'Settlement',
    REFUND: 'Refund',
    CHARGEBACK: 'Chargeback',
    MED: 'PIX return',
    TRANSFER: 'Transfer',
    FEE: 'Fee',
    SPLIT: 'Split',
    CONVERSION: 'Conversion',
    TAX_WITHHELD: 'Tax withheld',
    FEE_DIFFERENCE: 'Difference of fees',
  },
  pt: {
    SETTLEMENT: 'Liquidação',
    REFUND: 'Estorno',
    CHARGEBACK: 'Chargeback',
    MED: 'Devolução do PIX',
    TRANSFER: 'Transferência',
    FEE: 'Tarifa',
    SPLIT: 'Split',
    CONVERSION: 'Conversão',
    TAX_WITHHELD: 'Tributo retido',
    FEE_DIFFERENCE: 'Diferença de tarifas',
  },
}

/** A change of the available balance (dashboard, section 2.7). Never changed. */
export type StatementLine = {
  readonly id: StatementLineId
  readonly accountId: AccountId
  readonly type: StatementType
  /** Negative for money that left. */
  readonly cents: Cents
  /** The balance after this line, in centavos; as text, because it may exceed what a number holds. */
  readonly balanceAfter: string
  /** The object that moved the money. */
  readonly objectId: string
  /** The method of payments that settle together. Missing in lines of before it was kept. */
  readonly method?: Method
  readonly createdAtMs: number
}

export type StatementLineFact = ActorFact<'statementLine', 'StatementWritten'> & {
  readonly line: Omit<StatementLine, 'id' | 'createdAtMs'>
}

export const statementLineKind: ActorDefinition<StatementLine, StatementLineFact> = {
  prefix: 'stl',
  evolve: (state, { id, atMs, line }) => {
    assert(state === undefined, 'a line is written once')
    return { id, ...line, createdAtMs: atMs }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ type }) => type,
}
