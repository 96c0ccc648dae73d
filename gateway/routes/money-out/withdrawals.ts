import Type, { type Static } from 'typebox'
import type { CreateWithdrawal } from '../../../engine/money-out/commands.ts'
import type { Withdrawal } from '../../../engine/money-out/money-out.ts'
import { assets, chainNetworks, decimalOf, unitsMax } from '../../../engine/shared/asset.ts'
import { maskedDocument } from '../../../engine/shared/documents.ts'
import type { WalletId, WithdrawalId } from '../../../engine/shared/ids.ts'
import type { Read, RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { money } from '../../documents/boleto/texts.ts'
import { booleanOf } from '../../resources/fields.ts'
import {
  cryptoWithdrawal,
  withdrawalCsv,
  withdrawalPreview,
  withdrawalStatus,
} from '../../resources/money-out/crypto-withdrawal.ts'
import { moneyOutDetail } from '../../resources/money-out/detail.ts'
import { readDetails } from '../../resources/payments/charge-details.ts'
import {
  choice,
  exactParameter,
  idParameter,
  metadata,
  oneOrMore,
  searchParameter,
  textUpTo,
  wholeNumber,
} from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { forNew } from '../command-target.ts'
import { cryptoAmountInput, readUnits } from '../crypto/asset-input.ts'
import { otherApprovers } from '../others-who.ts'
import { pagingParameters } from '../paging.ts'
import type { Receipt } from '../receipt.ts'
import { type MoneyOutRoutes, moneyOutRoutes, readListing } from './money-out-routes.ts'

const body = Type.Object(
  {
    walletId: idParameter('A wallet that is ACTIVE.'),
    cryptoAmount: cryptoAmountInput('What arrives there.', bounds.withdrawnUnitsMax),
    externalId: Type.Optional(textUpTo(bounds.externalIdCharsMax, 'Your own identifier.')),
    metadata: Type.Optional(metadata),
    allowDuplicate: Type.Optional(
      booleanOf('True: the same amount was sent to the same wallet within ten minutes, and is meant.'),
    ),
  },
  { examples: [{ walletId: 'wal_01ARZ3NDEKTSV4RRFFQ69G5FAV', cryptoAmount: '250' }] },
)

/** A withdrawal as read from its body. The order of keys is fixed, because fingerprints cover them. */
type WithdrawalInput = Pick<CreateWithdrawal, 'to' | 'units' | 'externalId' | 'metadata' | 'allowDuplicate'>

const readWithdrawal = (sent: Static<typeof body>): Read<WithdrawalInput> => {
  const units = readUnits(sent.cryptoAmount)
  if (units > bounds.withdrawnUnitsMax)
    return refusedField('cryptoAmount', 'OUT_OF_RANGE', (say) =>
      say.atMostUnits('cryptoAmount', bounds.withdrawnUnitsMax / 1e6),
    )
  const { externalId, metadata } = readDetails(sent)
  const { walletId, allowDuplicate = false } = sent
  return { ok: true, input: { to: walletId as WalletId, units, externalId, metadata, allowDuplicate } }
}

const creation = {
  body,
  read: readWithdrawal,
  command: (input: WithdrawalInput, request: RequestContext): CreateWithdrawal => ({
    type: 'CreateWithdrawal',
    ...forNew('withdrawalId', request),
    ...input,
    othersCount: otherApprovers(request),
  }),
}

const units = (description: string) =>
  Type.Optional(wholeNumber(0, unitsMax, `${description} In millionths of the asset.`))
const filters = {
  status: oneOrMore(withdrawalStatus),
  asset: oneOrMore(choice(...assets)),
  network: oneOrMore(choice(...chainNetworks)),
  walletId: exactParameter(bounds.idCharsMax, 'Only those to this wallet.'),
  createdBy: exactParameter(bounds.idCharsMax, 'Only those of this person, `per_…`.'),
  q: searchParameter(
    'Searches names of wallets and holders, and for a whole document, address, id, external id or hash of the network.',
  ),
  minAmount: units('The least `amount`.'),
  maxAmount: units('The largest `amount`.'),
}
const parameters = pagingParameters(filters)
const listing = {
  parameters,
  read: (query: Static<typeof parameters>) =>
    readListing(query, [query.status, query.asset, query.network], query.walletId),
}

const receiptOf = ({ id, payee, amountCents, feeCents, worthCents, railId }: Withdrawal): Receipt => ({
  title: 'Comprovante de saque',
  amount: cryptoText(amountCents, payee.asset),
  payment: {
    heading: 'Saque',
    kind: [
      ['Moeda', payee.asset],
      ['Rede', payee.network],
    ],
    rows: [
      ['Taxa da rede', cryptoText(feeCents, payee.asset)],
      ['Valor em reais', money(worthCents)],
      ['Identificador', id],
      ['Transação na rede', railId],
    ],
  },
  payee: [
    ['Carteira', payee.name],
    ['Endereço', payee.address],
    ['Titular', payee.holderName],
    ['CPF ou CNPJ', maskedDocument(payee.holderDocument)],
    ['Custódia', payee.providerName],
  ],
})

/** An amount as it is written in Portuguese. */
const cryptoText = (units: number, asset: string): string => `${decimalOf(units).replace('.', ',')} ${asset}`

const withdrawalRoutes: MoneyOutRoutes<Withdrawal> = {
  kind: 'withdrawal',
  path: '/v1/crypto/withdrawals',
  group: { tag: 'Crypto', product: 'CRYPTO' },
  permission: 'crypto.withdraw',
  noun: 'CryptoWithdrawal',
  texts: {
    one: 'a withdrawal of stablecoins',
    many: 'withdrawals of stablecoins',
    create: [
      'Withdraw stablecoins',
      'Sends stablecoins to a wallet; what is sent cannot be called back. The funds are set aside in the moment in which it begins, so that two withdrawals never spend the same. Limits and approvals see what it is worth in reais.',
    ],
    preview:
      'What creating it would come to, decided by the same rules: where it goes, what the network takes, who has to approve it. What would be refused is refused here, too. Nothing is done.',
    export: 'what was sent as decimal numbers, what it was worth in centavos, times in UTC',
    approve:
      'Each person once, and never their own. The last approval that it needs sends it: where balance or limit do not allow it at that moment, the approval is refused, and it waits on.',
    cancel: 'As long as it waits for approval.',
    receipt: 'A PDF, once the network has confirmed it.',
  },
  approvalRefusals: [404, 409, 422, 503],
  resource: 'crypto_withdrawal',
  answer: cryptoWithdrawal,
  detail: moneyOutDetail('CryptoWithdrawalDetail', 'A withdrawal with its history.', cryptoWithdrawal),
  preview: withdrawalPreview,
  targetOf: (id) => ({ withdrawalId: id as WithdrawalId }),
  receiptOf,
  csv: withdrawalCsv,
}

/** The routes of withdrawals. */
export const withdrawals = moneyOutRoutes(withdrawalRoutes, creation, listing)
