import Type, { type Static } from 'typebox'
import type { CreateWithdrawal } from '../../../engine/crypto/commands.ts'
import type { CryptoWithdrawal } from '../../../engine/crypto/withdrawal.ts'
import { assets, chainNetworks, decimalOf, unitsMax } from '../../../engine/shared/asset.ts'
import type { WalletId, WithdrawalId } from '../../../engine/shared/ids.ts'
import { type Cents, toCents } from '../../../engine/shared/money.ts'
import { commandRoute, queryRoute, type Read, type RequestContext } from '../../api/route.ts'
import { limits } from '../../base/limits.ts'
import { money } from '../../documents/boleto/texts.ts'
import { notFound } from '../../problems/problem.ts'
import { flag } from '../../resources/fields.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { masked } from '../../resources/masked.ts'
import {
  cryptoWithdrawal,
  cryptoWithdrawalView,
  withdrawalCsvHead,
  withdrawalCsvRows,
  withdrawalPreview,
  withdrawalPreviewView,
  withdrawalStatus,
} from '../../resources/money-out/crypto-withdrawal.ts'
import { readDetails } from '../../resources/payments/charge-details.ts'
import {
  exactParameter,
  idParameter,
  metadata,
  oneOrMore,
  searchParameter,
  text,
  wholeNumber,
  word,
} from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { forExisting, forNew } from '../command-target.ts'
import { cryptoAmountInput, readUnits } from '../crypto/asset-input.ts'
import { cryptoBalanceReads, cryptoMoneyOut } from '../groups.ts'
import { decider, otherApprovers } from '../others-who.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { nextPlace, readPlace } from '../place.ts'
import { type Receipt, receiptAnswer } from '../receipt.ts'

const creates = { ...cryptoMoneyOut, verb: 'POST' } as const
const approves = { ...creates, permission: 'transfers.approve' } as const

const body = Type.Object(
  {
    walletId: idParameter('A wallet that is ACTIVE.'),
    cryptoAmount: cryptoAmountInput('What arrives there.', limits.withdrawnUnitsMax),
    externalId: Type.Optional(text(limits.externalIdCharsMax, 'Your own identifier.')),
    metadata: Type.Optional(metadata),
    allowDuplicate: Type.Optional(
      flag('True: the same amount was sent to the same wallet within ten minutes, and is meant.'),
    ),
  },
  { examples: [{ walletId: 'wal_01ARZ3NDEKTSV4RRFFQ69G5FAV', cryptoAmount: '250' }] },
)

/** A withdrawal as its body means it. The order of keys is fixed, because fingerprints cover them. */
type WithdrawalInput = Pick<CreateWithdrawal, 'to' | 'units' | 'externalId' | 'metadata' | 'allowDuplicate'>

const readWithdrawal = (sent: Static<typeof body>): Read<WithdrawalInput> => {
  const units = readUnits(sent.cryptoAmount)
  if (units > limits.withdrawnUnitsMax)
    return refusedField('cryptoAmount', 'OUT_OF_RANGE', (say) =>
      say.atMostUnits('cryptoAmount', limits.withdrawnUnitsMax / 1e6),
    )
  const { externalId, metadata } = readDetails(sent)
  const { walletId, allowDuplicate = false } = sent
  return { ok: true, input: { to: walletId as WalletId, units, externalId, metadata, allowDuplicate } }
}

const creating = (input: WithdrawalInput, request: RequestContext): CreateWithdrawal => ({
  type: 'CreateWithdrawal',
  ...forNew('withdrawalId', request),
  ...input,
  othersCount: otherApprovers(request),
})

export const previewCryptoWithdrawal = commandRoute({
  ...creates,
  path: '/v1/crypto/withdrawals/preview',
  operationId: 'previewCryptoWithdrawal',
  summary: 'Preview a withdrawal of stablecoins',
  description:
    'What creating it would come to, decided by the same rules: where it goes, what the network takes, who has to approve it. What would be refused is refused here, too. Nothing is done.',
  isAudited: false,
  refusals: [409, 422, 503],
  body,
  answer: withdrawalPreview,
  read: readWithdrawal,
  command: (input: WithdrawalInput, request) => ({ ...creating(input, request), isPreview: true }),
  view: (reply) => ({ body: withdrawalPreviewView(reply) }),
})

export const createCryptoWithdrawal = commandRoute({
  ...creates,
  factor: 'OPERATION',
  path: '/v1/crypto/withdrawals',
  operationId: 'createCryptoWithdrawal',
  summary: 'Withdraw stablecoins',
  description:
    'Sends stablecoins to a wallet; what is sent cannot be called back. The funds are set aside in the moment in which it begins, so that two withdrawals never spend the same. Limits and approvals see what it is worth in reais.',
  status: 201,
  idempotent: true,
  refusals: [409, 422, 503],
  body,
  answer: cryptoWithdrawal,
  read: readWithdrawal,
  command: (input: WithdrawalInput, request) => creating(input, request),
  view: ({ state }, _, { personal }) => ({
    location: `/v1/crypto/withdrawals/${state.id}`,
    body: cryptoWithdrawalView(state, personal.open),
  }),
})

const units = (description: string) =>
  Type.Optional(wholeNumber(0, unitsMax, `${description} In millionths of the asset.`))
const filters = {
  status: oneOrMore(withdrawalStatus),
  asset: oneOrMore(word(...assets)),
  network: oneOrMore(word(...chainNetworks)),
  walletId: exactParameter(limits.idCharsMax, 'Only those to this wallet.'),
  createdBy: exactParameter(limits.idCharsMax, 'Only those of this person, `per_…`.'),
  q: searchParameter(
    'Searches names of wallets and holders, and for a whole document, address, id, external id or hash of the network.',
  ),
  minAmount: units('The least `amount`.'),
  maxAmount: units('The largest `amount`.'),
}
const parameters = pagingParameters(filters)
const { page: _, pageSize: __, asOf: ___, ...exported } = parameters.properties

const readFilters = (query: Static<typeof parameters>) =>
  readPaging(query, {
    statuses: query.status ?? [],
    assets: query.asset ?? [],
    networks: query.network ?? [],
    wallet: query.walletId ?? null,
    createdBy: query.createdBy ?? null,
    search: query.q?.trim() ?? null,
    minUnits: unitsOrNull(query.minAmount),
    maxUnits: unitsOrNull(query.maxAmount),
  })

const unitsOrNull = (value: number | undefined): Cents | null => (value === undefined ? null : toCents(value))

export const listCryptoWithdrawals = queryRoute({
  ...cryptoBalanceReads,
  path: '/v1/crypto/withdrawals',
  operationId: 'listCryptoWithdrawals',
  summary: 'List withdrawals of stablecoins',
  description: 'Newest first.',
  parameters,
  answer: listOfRows(cryptoWithdrawal),
  read: readFilters,
  query: (input, { accountId }) => ({ type: 'ListWithdrawals', accountId, ...input }) as const,
  view: (listed, input, { personal }) => ({
    body: listView(listed, input, (withdrawal) => cryptoWithdrawalView(withdrawal, personal.open)),
  }),
})

export const exportCryptoWithdrawals = queryRoute({
  ...cryptoBalanceReads,
  permission: 'transactions.export',
  isForPeople: true,
  path: '/v1/crypto/withdrawals/export',
  operationId: 'exportCryptoWithdrawals',
  summary: 'Export withdrawals of stablecoins as CSV',
  description:
    'Takes the filters of the list, newest first. RFC 4180 in UTF-8; what was sent as decimal numbers, what it was worth in centavos, times in UTC. A text that a spreadsheet would take for a formula begins with an apostrophe.',
  isExport: true,
  mediaTypes: ['text/csv'],
  parameters: Type.Object(exported),
  answer: Type.Object({}),
  read: readFilters,
  query: (input, { accountId, cursor }) => ({
    type: 'ListWithdrawals',
    accountId,
    ...input,
    ...readPlace(cursor),
    pageSize: limits.auditPieceRows,
  }),
  view: (listed, { from, to }, { cursor }) => {
    const text = withdrawalCsvRows(listed.rows)
    return {
      piece: Buffer.from(cursor === null ? withdrawalCsvHead + text : text),
      next: nextPlace(cursor, listed, limits.auditPieceRows),
      contentType: 'text/csv; charset=utf-8',
      fileName: `withdrawals_${from ?? 'all'}_${to ?? 'now'}.csv`,
    }
  },
})

export const getCryptoWithdrawal = queryRoute({
  ...cryptoBalanceReads,
  path: '/v1/crypto/withdrawals/:id',
  operationId: 'getCryptoWithdrawal',
  summary: 'Get one withdrawal of stablecoins',
  description: 'With who approved it, and what became of it.',
  refusals: [404],
  answer: cryptoWithdrawal,
  query: (_, { accountId, id }) =>
    ({ type: 'FindWithdrawal', accountId, withdrawalId: id as WithdrawalId }) as const,
  view: (found, _, { personal }) =>
    found === null ? notFound('crypto_withdrawal') : { body: cryptoWithdrawalView(found, personal.open) },
})

export const approveCryptoWithdrawal = commandRoute({
  ...approves,
  factor: 'OPERATION',
  path: '/v1/crypto/withdrawals/:id/approve',
  operationId: 'approveCryptoWithdrawal',
  summary: 'Approve a withdrawal of stablecoins',
  description:
    'Each person once, and never their own. The last approval that it needs sends it: where balance or limit do not allow it at that moment, the approval is refused, and it waits on.',
  refusals: [404, 409, 422, 503],
  answer: cryptoWithdrawal,
  command: (_, request) => ({
    type: 'ApproveWithdrawal',
    ...forExisting('withdrawalId', request),
    ...decider(request),
  }),
  view: ({ state }, _, { personal }) => ({ body: cryptoWithdrawalView(state, personal.open) }),
})

export const rejectCryptoWithdrawal = commandRoute({
  ...approves,
  factor: 'SESSION',
  path: '/v1/crypto/withdrawals/:id/reject',
  operationId: 'rejectCryptoWithdrawal',
  summary: 'Reject a withdrawal of stablecoins',
  description: 'One person is enough: it is cancelled.',
  refusals: [404, 409],
  body: Type.Object({ reason: text(limits.reasonCharsMax, 'Why, for whoever asked for it.') }),
  answer: cryptoWithdrawal,
  read: ({ reason }) => reason.trim(),
  command: (reason, request) => ({
    type: 'RejectWithdrawal',
    ...forExisting('withdrawalId', request),
    ...decider(request),
    reason,
  }),
  view: ({ state }, _, { personal }) => ({ body: cryptoWithdrawalView(state, personal.open) }),
})

/** Every role that withdraws approves as well, so that this permission lets in both (dashboard, section 2.7). */
export const cancelCryptoWithdrawal = commandRoute({
  ...creates,
  factor: 'SESSION',
  path: '/v1/crypto/withdrawals/:id/cancel',
  operationId: 'cancelCryptoWithdrawal',
  summary: 'Cancel a withdrawal of stablecoins',
  description: 'As long as it waits for approval.',
  refusals: [404, 409],
  answer: cryptoWithdrawal,
  command: (_, request) => ({ type: 'CancelWithdrawal', ...forExisting('withdrawalId', request) }),
  view: ({ state }, _, { personal }) => ({ body: cryptoWithdrawalView(state, personal.open) }),
})

export const getCryptoWithdrawalReceipt = queryRoute({
  ...cryptoBalanceReads,
  isAudited: true,
  path: '/v1/crypto/withdrawals/:id/receipt',
  operationId: 'getCryptoWithdrawalReceipt',
  summary: 'Get the receipt of a withdrawal of stablecoins',
  description: 'A PDF, once the network has confirmed it.',
  refusals: [404, 409],
  mediaTypes: ['application/pdf'],
  answer: Type.Object({}),
  query: (_, { accountId, id }) =>
    ({ type: 'FindWithdrawal', accountId, withdrawalId: id as WithdrawalId }) as const,
  view: async (withdrawal, _, request) =>
    withdrawal === null ? notFound('crypto_withdrawal') : receiptAnswer(withdrawal, request, receiptOf),
})

const receiptOf = ({ id, wallet, units, feeUnits, worthCents, txHash }: CryptoWithdrawal): Receipt => ({
  title: 'Comprovante de saque',
  amount: cryptoText(units, wallet.asset),
  payment: {
    heading: 'Saque',
    kind: [
      ['Moeda', wallet.asset],
      ['Rede', wallet.network],
    ],
    rows: [
      ['Taxa da rede', cryptoText(feeUnits, wallet.asset)],
      ['Valor em reais', money(worthCents)],
      ['Identificador', id],
      ['Transação na rede', txHash],
    ],
  },
  payee: [
    ['Carteira', wallet.name],
    ['Endereço', wallet.address],
    ['Titular', wallet.holderName],
    ['CPF ou CNPJ', masked(wallet.holderDocument)],
    ['Custódia', wallet.providerName],
  ],
})

/** As amounts are written in Portuguese. */
const cryptoText = (units: number, asset: string): string => `${decimalOf(units).replace('.', ',')} ${asset}`
