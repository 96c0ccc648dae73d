import Type, { type Static } from 'typebox'
import type { Pix } from '../../../engine/payments/methods/pix/pix.ts'
import type { Transaction, TransactionStatus } from '../../../engine/payments/transaction/transaction.ts'
import type { ChargeOrigin, Method } from '../../../engine/shared/method.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { date, documentType, instant, instantOrNull, nullableField, nullableText, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

/** The payer of a PIX. */
export const payer = namedObject('PixPayer', 'Who paid, as the payer’s bank says.', {
  name: textOf('Who paid; empty once that is forgotten.'),
  document: described(nullableText, 'CPF or CNPJ without punctuation.'),
  documentType,
  ispb: textOf('ISPB of the payer’s bank, eight digits.'),
  bankName: described(nullableText, 'The payer’s bank.'),
})

/** The id under which banks know a PIX. */
export const endToEndId = nullableField(textOf('Id of the payment between banks; null before it is paid.'))

const registryStatus = described(
  choice('ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP'),
  'Status of the central bank’s record. It stays ATIVA when a charge expires.',
)

/** The PIX part of a transaction (decisions, section 10). */
export const pix = resource<Pix, [Transaction]>('Pix', 'The PIX part of a transaction.').with({
  txid: [
    nullableField(
      Type.String({
        pattern: '^[a-zA-Z0-9]{26,35}$',
        description: 'The charge’s id in the PIX arrangement.',
      }),
    ),
    same,
  ],
  endToEndId: [endToEndId, ({ payment }) => payment?.endToEndId ?? null],
  copyPaste: [nullableField(textOf('The BR Code that the payer pastes into a banking app.')), same],
  qrCodeUrl: [nullableField(textOf('Path of the same code as an image.')), (p, t) => codeUrlOf(p, t)],
  keyId: [
    nullableField(textOf('The PIX key that receives it; null where that is the key of your own bank.')),
    ({ keyId, bankKey }) => (bankKey === null ? keyId : null),
  ],
  type: [described(choice('IMMEDIATE', 'DUE_DATE'), 'DUE_DATE where a due date was sent.'), same],
  dueDate: [nullableField(date, 'The due date that was sent.'), same],
  expiresInSeconds: [nullableField(Type.Integer(), 'The time to pay that was sent, or its default.'), same],
  registryStatus: [registryStatus, (_, { status }) => registryStatusOf(status)],
  payer: [
    nullableField(payer, 'Null before it is paid, and where the bank does not say.'),
    ({ payment }) => payment?.payer ?? null,
  ],
  payerMatchesCustomer: [
    nullableField(
      Type.Boolean(),
      'Null where one of both is not known. False: the payer’s document differs from the customer’s. The payment counts all the same.',
    ),
    ({ payment }) => payment?.payerMatchesCustomer ?? null,
  ],
  paidAt: [nullableField(instant, 'When it was paid.'), ({ payment }) => instantOrNull(payment?.paidAtMs)],
})

/** The path of a charge's QR code; null where it has none. */
export const codeUrlOf = ({ copyPaste }: Pix, { id, method, origin }: Transaction): string | null =>
  copyPaste && qrCodeUrlOf(id, method, origin)

/** The path of a QR code's image, below the routes that show the charge. */
export const qrCodeUrlOf = (id: string, method: Method, origin: ChargeOrigin): string => {
  if (method === 'BOLETO') return `/v1/boletos/${id}/qr-code`
  return `/v1/pix/${origin === 'DEPOSIT' ? 'deposits' : 'charges'}/${id}/qr-code`
}

/** The status in the central bank's record, which does not know expiry (decisions, section 10). */
const registryStatusOf = (status: TransactionStatus): Static<typeof registryStatus> => {
  switch (status) {
    case 'CREATED':
    case 'PENDING':
    case 'PROCESSING':
    case 'EXPIRED':
      return 'ATIVA'
    case 'CANCELLED':
      return 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
    case 'FAILED':
      return 'REMOVIDA_PELO_PSP'
    default:
      return 'CONCLUIDA'
  }
}
