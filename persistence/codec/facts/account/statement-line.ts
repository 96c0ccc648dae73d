import type { StatementLineId } from '../../../../engine/shared/ids.ts'
import type { StatementLineFact, StatementType } from '../../../../engine/statement/line.ts'
import { enumeration, number, optional, record, since, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, method } from '../shared.ts'

const line = record<StatementLineFact['line']>({
  accountId,
  type: enumeration<StatementType>(
    {
      SETTLEMENT: 1,
      REFUND: 2,
      CHARGEBACK: 3,
      MED: 4,
      TRANSFER: 5,
      FEE: 6,
      SPLIT: 7,
      CONVERSION: 8,
      TAX_WITHHELD: 9,
      FEE_DIFFERENCE: 10,
    },
    { TAX_WITHHELD: 14, FEE_DIFFERENCE: 14 },
  ),
  cents: number(),
  balanceAfter: text(),
  objectId: text(),
  method: since(9, optional(method), undefined),
})

export const statementLineFacts = {
  StatementWritten: [1, { id: text<StatementLineId>(), atMs: number(), line }],
} satisfies FactLayouts<'statementLine'>
