import type { NewWallet } from '../../../../engine/money-out/payees/wallet.ts'
import type { WalletId } from '../../../../engine/shared/ids.ts'
import { enumeration, nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, assetLayout, networkLayout } from '../shared.ts'

const head = { id: text<WalletId>(), atMs: number() }

const wallet = record<NewWallet>({
  accountId,
  name: text(),
  asset: assetLayout,
  network: networkLayout,
  address: text(),
  ownership: enumeration({ SELF_CUSTODY: 1, PROVIDER: 2 }),
  holderName: text(),
  holderDocument: text(),
  providerName: nullable(text()),
  createdBy: nullable(text()),
  availableAtMs: number(),
})

export const walletFacts = {
  WalletRegistered: [1, { ...head, wallet }],
  WalletRemoved: [2, head],
} satisfies FactLayouts<'wallet'>
