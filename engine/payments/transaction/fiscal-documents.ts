import { accept } from '../../kernel/decision.ts'
import type { ExistingChargeDecider } from './charge-context.ts'
import type { SetFiscalDocuments } from './commands.ts'
import type { TransactionFact } from './facts.ts'

/** Keeps which fiscal documents are about the sale, in whatever state the charge is. The same list once more changes nothing. */
export const setFiscalDocuments: ExistingChargeDecider<SetFiscalDocuments> = (
  { fiscalDocuments = [] },
  { documents },
  { fact },
) =>
  fiscalDocuments.length === documents.length && fiscalDocuments.every((key, n) => key === documents[n])
    ? accept()
    : accept<TransactionFact>({ type: 'FiscalDocumentsSet', documents, ...fact })
