import Type, { type Static } from 'typebox'
import type { CreateTransfer } from '../../../engine/money-out/commands.ts'
import type { Transfer } from '../../../engine/money-out/money-out.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { maskedDocument } from '../../../engine/shared/documents.ts'
import type { BeneficiaryId, KeyLookupId, TransferId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { Read, RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { money } from '../../documents/boleto/texts.ts'
import { booleanOf } from '../../resources/fields.ts'
import { moneyOutDetail } from '../../resources/money-out/detail.ts'
import {
  kindOfTransfer,
  statusOfTransfer,
  transferCsv,
  transferPreview,
  transferResource,
} from '../../resources/money-out/transfer.ts'
import { readDetails } from '../../resources/payments/charge-details.ts'
import { exactlyOneOf } from '../../schema/rules.ts'
import {
  amount,
  amountParameter,
  exactParameter,
  idParameter,
  metadata,
  oneOrMore,
  searchParameter,
  textUpTo,
} from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { forNew } from '../command-target.ts'
import { otherApprovers } from '../others-who.ts'
import { pagingParameters } from '../paging.ts'
import type { Receipt } from '../receipt.ts'
import { type MoneyOutRoutes, moneyOutRoutes, readListing } from './money-out-routes.ts'

const body = Type.Object(
  {
    kind: kindOfTransfer,
    amount: amount(bounds.amountCentsMax, 'What the payee gets.'),
    beneficiaryId: Type.Optional(idParameter('A registered beneficiary.')),
    lookupId: Type.Optional(idParameter('Or a look-up of a PIX key, which only you can use, and once.')),
    scheduledFor: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'On which day, up to a year ahead; today is at once. A PIX runs at 08:00, a TED on the next business day at 06:30.',
      }),
    ),
    description: Type.Optional(textUpTo(bounds.descriptionCharsMax, 'What the payee reads.')),
    externalId: Type.Optional(textUpTo(bounds.externalIdCharsMax, 'Your own identifier.')),
    metadata: Type.Optional(metadata),
    allowDuplicate: Type.Optional(
      booleanOf('True: the same amount was sent to the same payee within ten minutes, and is meant.'),
    ),
  },
  { examples: [{ kind: 'PIX', amount: 15000, beneficiaryId: 'ben_01ARZ3NDEKTSV4RRFFQ69G5FAV' }] },
)

/** A transfer as read from its body. The order of keys is fixed, because fingerprints cover them. */
type TransferInput = Pick<
  CreateTransfer,
  | 'kind'
  | 'amountCents'
  | 'to'
  | 'scheduledFor'
  | 'description'
  | 'externalId'
  | 'metadata'
  | 'allowDuplicate'
>

const readTransfer = (sent: Static<typeof body>): Read<TransferInput> => {
  const { beneficiaryId, lookupId } = sent
  if (beneficiaryId !== undefined && lookupId !== undefined)
    return refusedField('lookupId', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('beneficiaryId', 'lookupId'))
  if (beneficiaryId === undefined && lookupId === undefined)
    return refusedField('beneficiaryId', 'REQUIRED', (say) => say.oneOfTwo('beneficiaryId', 'lookupId'))
  const { description, externalId, metadata } = readDetails(sent)
  return {
    ok: true,
    input: {
      kind: sent.kind,
      amountCents: toCents(Number(sent.amount)),
      to:
        beneficiaryId === undefined
          ? { lookupId: lookupId as KeyLookupId }
          : { beneficiaryId: beneficiaryId as BeneficiaryId },
      scheduledFor: (sent.scheduledFor as CalendarDate | undefined) ?? null,
      description,
      externalId,
      metadata,
      allowDuplicate: sent.allowDuplicate ?? false,
    },
  }
}

const creation = {
  body,
  rules: exactlyOneOf('beneficiaryId', 'lookupId'),
  read: readTransfer,
  command: (input: TransferInput, request: RequestContext): CreateTransfer => ({
    type: 'CreateTransfer',
    ...forNew('transferId', request),
    ...input,
    othersCount: otherApprovers(request),
    ownDocument: request.company.document,
  }),
}

const filters = {
  status: oneOrMore(statusOfTransfer),
  kind: oneOrMore(kindOfTransfer),
  beneficiaryId: exactParameter(bounds.idCharsMax, 'Only those to this beneficiary.'),
  createdBy: exactParameter(bounds.idCharsMax, 'Only those of this person, `per_…`.'),
  q: searchParameter('Searches payee, document, PIX key, id, external id and end-to-end id.'),
  minAmount: Type.Optional(amountParameter('The least `amount`.', { max: bounds.amountCentsMax })),
  maxAmount: Type.Optional(amountParameter('The largest `amount`.', { max: bounds.amountCentsMax })),
}
const parameters = pagingParameters(filters)
const listing = {
  parameters,
  read: (query: Static<typeof parameters>) =>
    readListing(query, [query.status, query.kind], query.beneficiaryId),
}

const receiptOf = (transfer: Transfer): Receipt => {
  const { payee, method, id, railId, description, feeCents } = transfer
  return {
    title: 'Comprovante de transferência',
    amount: money(transfer.amountCents),
    payment: {
      heading: 'Transferência',
      kind: [['Tipo', method]],
      rows: [
        ['Tarifa', feeCents === 0 ? null : money(feeCents)],
        ['Descrição', description],
        ['Identificador', id],
        ['ID da transação PIX', railId],
      ],
    },
    payee: [
      ['Nome', payee.name],
      ['CPF ou CNPJ', maskedDocument(payee.document)],
      ...(payee.pixKey === null
        ? ([
            ['Banco', payee.bankCode ?? payee.ispb],
            ['Agência', payee.branch],
            ['Conta', payee.account],
          ] as const)
        : ([
            ['Chave PIX', payee.pixKey],
            ['Instituição', payee.bankName],
          ] as const)),
    ],
  }
}

const transferRoutes: MoneyOutRoutes<Transfer> = {
  kind: 'transfer',
  path: '/v1/transfers',
  group: { tag: 'Transfers', product: null },
  permission: 'transfers.create',
  noun: 'Transfer',
  texts: {
    one: 'a transfer',
    many: 'transfers',
    create: [
      'Create a transfer',
      'Sends money by PIX or TED. Its money is set aside in the moment in which it begins, so that two transfers never spend the same. Where the approval policy asks for it, other people approve it first.',
    ],
    preview:
      'What creating it would come to, decided by the same rules: who gets it, what it costs, when it runs, who has to approve it. What would be refused is refused here, too. Nothing is done.',
    export: 'amounts in centavos, times in UTC',
    approve:
      'Each person once, and never their own, with a role that was there before the transfer or that a second person has confirmed. The last approval that it needs sends it, if it is time: where balance or limits do not allow it, the approval is refused, and it waits on.',
    cancel: 'As long as it waits for approval or for its time.',
    receipt: 'A PDF for the payee, once the bank has confirmed it.',
  },
  approvalRefusals: [404, 409, 422],
  resource: 'transfer',
  answer: transferResource,
  detail: moneyOutDetail('TransferDetail', 'A transfer with its history.', transferResource),
  preview: transferPreview,
  targetOf: (id) => ({ transferId: id as TransferId }),
  receiptOf,
  csv: transferCsv,
}

/** The routes of transfers. */
export const transfers = moneyOutRoutes(transferRoutes, creation, listing)
