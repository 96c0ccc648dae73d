import type { ChainTransfer } from '../../../../../engine/payments/methods/crypto/crypto.ts'
import type { Methods } from '../../../../../engine/shared/method.ts'
import {
  bool,
  enumeration,
  json,
  list,
  type Missing,
  nullable,
  number,
  record,
  text,
} from '../../../layout.ts'
import { assetLayout } from '../../shared.ts'
import { answerHead, factHead, receivablesLayout, transactionStatusLayout } from '../parts.ts'
import type { MethodLayouts } from './method-layouts.ts'

const chainTransfer = record<ChainTransfer>({
  txHash: text(),
  asset: assetLayout,
  units: number(),
  fromAddress: nullable(text()),
  seenAtMs: number(),
  confirmations: number(),
  status: enumeration({ SEEN: 1, CONFIRMED: 2, DROPPED: 3 }),
  isInTime: bool,
  paidUnits: number(),
})

export const cryptoLayouts = {
  means: {
    tag: 0,
    isOf: (means) => 'crypto' in means,
    // JSON, with defaults for charges from before merchants could create them.
    layout: json<Methods['CRYPTO']['means']>({
      crypto: {
        quotedCents: null,
        rateMicros: null,
        toleranceBps: 0,
        requiredConfirmations: 0,
        expiresInSeconds: 0,
        uri: null,
        transfers: [],
      },
    } as Missing<Methods['CRYPTO']['means']>),
  },
  facts: {
    AddressOpened: [40, { ...answerHead, address: text(), uri: text(), expiresAtMs: number() }],
    TransferSeen: [41, { ...factHead, transfer: chainTransfer, status: transactionStatusLayout }],
    TransferConfirmed: [42, { ...factHead, txHash: text(), confirmations: number(), isFinal: bool }],
    TransferDropped: [43, { ...factHead, txHash: text(), status: transactionStatusLayout }],
    CryptoPaid: [
      44,
      {
        ...factHead,
        paidCents: number(),
        feeCents: number(),
        receivables: receivablesLayout,
        transfers: list(chainTransfer),
      },
    ],
  },
} satisfies MethodLayouts<'CRYPTO'>
