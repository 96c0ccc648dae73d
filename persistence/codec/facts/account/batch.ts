import type { SettledBatch } from '../../../../engine/ledger/account.ts'
import { number, record, repeatedText } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId } from '../shared.ts'

export const batchFacts = {
  BatchSettled: [
    1,
    {
      id: repeatedText(),
      batch: record<SettledBatch>({ id: repeatedText(), accountId, settledAtMs: number() }),
    },
  ],
} satisfies FactLayouts<'batch'>
