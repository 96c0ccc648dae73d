import type { Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { assetText } from '../../parts/asset.tsx'

type Sent = Pick<Schemas['CryptoWithdrawal'], 'asset' | 'network' | 'address'> & {
  readonly wallet: Pick<Schemas['Wallet'], 'name' | 'holderName' | 'holderDocument' | 'providerName'>
}

/** The facts of a wallet that a person checks before stablecoins leave for it. */
export const walletFacts = (sent: Sent): (readonly [string, string])[] => {
  const { name, holderName, holderDocument, providerName } = sent.wallet
  return [
    [t.withdrawals.wallet, name],
    [t.crypto.asset, assetText(sent)],
    [t.crypto.address, sent.address],
    [t.wallets.holder, `${holderName} · ${holderDocument}`],
    ...(providerName === null ? [] : ([[t.wallets.provider, providerName]] as const)),
  ]
}
