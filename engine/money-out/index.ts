/**
 * Money that people send from the account: transfers to banks and withdrawals of stablecoins are one actor with
 * one life (approval, limits, booking, retry). `methods/` says what differs, `payees/` is the register of payees,
 * `lookups/` asks who owns a PIX key.
 */
import './commands.ts'
import './kind.ts'
import './lookups/key-lookup.ts'
import './lookups/quota.ts'
import './methods/bank-request.ts'
import './money-out.ts'
import './payees/beneficiary.ts'
import './payees/wallet.ts'
import './queries.ts'
import './refusals.ts'
import './sums.ts'
import { moneyOutAnswers } from './answers.ts'
import { moneyOutDeciders } from './deciders.ts'
import { transferKind, withdrawalKind } from './kind.ts'
import { keyLookupKind } from './lookups/key-lookup.ts'
import { lookupsAccountPart } from './lookups/quota.ts'
import { beneficiaryKind } from './payees/beneficiary.ts'
import { walletKind } from './payees/wallet.ts'
import { moneyOutAccountPart } from './sums.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const moneyOutModule = {
  kinds: {
    wallet: walletKind,
    withdrawal: withdrawalKind,
    transfer: transferKind,
    beneficiary: beneficiaryKind,
    keyLookup: keyLookupKind,
  },
  accountParts: {
    moneyOut: moneyOutAccountPart,
    lookups: lookupsAccountPart,
  },
  deciders: moneyOutDeciders,
  answers: moneyOutAnswers,
}
