import './payees/beneficiary.ts'
import './commands.ts'
import './lookups/key-lookup.ts'
import './kind.ts'
import './limits.ts'
import './money-out.ts'
import './queries.ts'
import './lookups/quota.ts'
import './refusals.ts'
import './sums.ts'
import './methods/transfer-request.ts'
import { transferAnswers } from './answers.ts'
import { transferDeciders } from './deciders.ts'
import { outgoingTransferKind } from './kind.ts'
import { keyLookupKind } from './lookups/key-lookup.ts'
import { transfersAccountPart } from './lookups/quota.ts'
import { beneficiaryKind } from './payees/beneficiary.ts'
import { moneyOutAccountPart } from './sums.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const moneyOutModule = {
  kinds: {
    outgoingTransfer: outgoingTransferKind,
    beneficiary: beneficiaryKind,
    keyLookup: keyLookupKind,
  },
  accountParts: {
    moneyOut: moneyOutAccountPart,
    transfers: transfersAccountPart,
  },
  deciders: transferDeciders,
  answers: transferAnswers,
}
