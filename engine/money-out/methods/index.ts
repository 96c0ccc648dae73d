/**
 * Each way in which money leaves is one value: its terms, its run time, its provider request, and the meaning of
 * the answer.
 */
import type { AskedMoneyOut, AskedTransfer, AskedWithdrawal } from '../asked.ts'
import type { MoneyOutDefinition } from './method.ts'
import { pixTransfer } from './pix.ts'
import { stablecoinWithdrawal } from './stablecoin.ts'
import { tedTransfer } from './ted.ts'

/** Every way in which money leaves. */
const methods = {
  PIX: pixTransfer,
  TED: tedTransfer,
  CRYPTO: stablecoinWithdrawal,
} satisfies {
  readonly [Method in AskedMoneyOut['method']]:
    | MoneyOutDefinition<AskedTransfer>
    | MoneyOutDefinition<AskedWithdrawal>
}

/** How this money leaves. Each method is given only what was asked for by it. */
export const moneyOutMethodOf = <Asked extends AskedMoneyOut>({ method }: Asked): MoneyOutDefinition<Asked> =>
  methods[method] as unknown as MoneyOutDefinition<Asked>
