import './beneficiary.ts'
import './commands.ts'
import './key-lookup.ts'
import './kind.ts'
import './outgoing-transfer.ts'
import './queries.ts'
import './quota.ts'
import './refusals.ts'
import './transfer-request.ts'
import { transferAnswers } from './answers.ts'
import { beneficiaryKind } from './beneficiary.ts'
import { transferDeciders } from './deciders.ts'
import { keyLookupKind } from './key-lookup.ts'
import { outgoingTransferKind } from './kind.ts'
import { transfersAccountPart } from './quota.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const transfersModule = {
  kinds: {
    outgoingTransfer: outgoingTransferKind,
    beneficiary: beneficiaryKind,
    keyLookup: keyLookupKind,
  },
  accountParts: {
    transfers: transfersAccountPart,
  },
  deciders: transferDeciders,
  answers: transferAnswers,
}
