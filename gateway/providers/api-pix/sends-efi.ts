import Type, { type Static } from 'typebox'
import type { Cents } from '../../../engine/shared/money.ts'
import type { Deadline } from '../http/http.ts'
import type {
  Echo,
  InquiryOutcome,
  PayOutAtBank,
  ProviderAsk,
  ProviderOutcome,
  RefusalReason,
} from '../port.ts'
import { readValor, valorOf } from './amounts.ts'
import { cut, elsewise } from './charges.ts'
import type { BankClient } from './client.ts'
import { payeeAccount } from './payee-account.ts'
import { isReturnThrough, itemsOf, momentIn } from './pix.ts'
import { hasShape } from './shape.ts'
import { bankRefusal, verdictOf } from './verdict.ts'

/** PIX that are sent by Efí (`PUT /v3/gn/pix/{idEnvio}`, rails, section 2.8): under an id of ours, by which they are found. */
type PayOutAsk = Extract<ProviderAsk, { readonly operation: 'PAY_OUT' }>

/** The path by which a PIX that was sent is found. */
export const sentAtEfiPath = (reference: string): string =>
  `/v2/gn/pix/enviados/id-envio/${encodeURIComponent(reference)}`

/** Sends. A used id is refused, and is looked up: while the bank does not show it, nothing is known. */
export const payOutAtEfi = async (
  client: BankClient,
  ask: PayOutAsk,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const { data, amountCents, reference } = ask
  const favorecido = data.by === 'TED' ? null : receiverOf(data.payee)
  if (favorecido === null) return unsendable
  const body = {
    valor: valorOf(amountCents),
    pagador: {
      chave: client.settings.pixKey,
      ...(data.description === null || data.description === ''
        ? {}
        : { infoPagador: cut(data.description, 140) }),
    },
    favorecido,
  }
  const path = `/v3/gn/pix/${encodeURIComponent(reference)}`
  const verdict = verdictOf(await client.call({ verb: 'PUT', path, body }, deadline))
  if (verdict.type === 'OK') return taken(verdict.body)
  if (verdict.type !== 'REFUSED' && verdict.type !== 'ABSENT')
    return verdict.type === 'REMOVED' ? { type: 'SILENT' } : elsewise(verdict)
  const found = await inquireAtEfi(client, ask, deadline)
  if (found.type !== 'NOT_FOUND') return found
  if (verdict.problem.saysIdWasUsed) return { type: 'SILENT' }
  return { type: 'REFUSED', refusal: bankRefusal(verdict.problem, reasonOf(verdict.problem.name)) }
}

/** What became of a PIX that was sent. */
export const inquireAtEfi = async (
  client: BankClient,
  ask: PayOutAsk,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  const verdict = verdictOf(await client.call({ verb: 'GET', path: sentAtEfiPath(ask.reference) }, deadline))
  if (verdict.type === 'ABSENT') {
    const { by, payee } = ask.data
    return by === 'TED' || receiverOf(payee) === null ? unsendable : { type: 'NOT_FOUND' }
  }
  if (verdict.type === 'REMOVED') return { type: 'SILENT' }
  if (verdict.type !== 'OK') return elsewise(verdict, false)
  const sent = readSentAtEfi(verdict.body)
  if (sent === null) return { type: 'SILENT' }
  const { atBank, echo, tariffCents } = sent
  const evidence = {
    kind: 'PIX',
    endToEndId: atBank.endToEndId,
    returnId: null,
    ...(tariffCents !== null && { tariffCents }),
  } as const
  switch (atBank.state) {
    case 'DONE':
      return { type: 'DONE', echo, evidence }
    case 'RETURNED':
      return { type: 'UNDONE', how: 'RETURNED', message: 'the PIX had arrived, and came back' }
    case 'REFUSED':
      // A refusal of another PIX says nothing of ours.
      return echo.reference === ask.reference && echo.amountCents === ask.amountCents
        ? {
            type: 'REFUSED',
            refusal: bankRefusal({ name: 'NAO_REALIZADO', text: 'the bank could not carry the PIX out' }),
          }
        : { type: 'SILENT' }
    case 'PROCESSING':
      return { type: 'PENDING', againInMs: null, evidence }
  }
}

/** The answer to a new PIX says that it is on its way, and never more. */
const taken = (body: unknown): ProviderOutcome =>
  hasShape(Taken, body)
    ? {
        type: 'PENDING',
        againInMs: null,
        evidence: { kind: 'PIX', endToEndId: body.endToEndId, returnId: null },
      }
    : { type: 'SILENT' }

const Taken = Type.Object({ endToEndId: Type.String() })

const SentShown = Type.Object({
  idEnvio: Type.String(),
  endToEndId: Type.Optional(Type.String()),
  valor: Type.Unknown(),
  status: Type.String(),
  horario: Type.Optional(Type.Unknown()),
  favorecido: Type.Optional(Type.Unknown()),
  devolucoes: Type.Optional(Type.Unknown()),
  gnExtras: Type.Optional(Type.Unknown()),
})

/**
 * Reads a PIX that was sent; null where it makes no sense, as where something came back that cannot be told from other returns. All of it has
 * to come back for it to count as returned.
 */
export const readSentAtEfi = (
  shown: unknown,
): {
  readonly reference: string
  readonly echo: Echo
  readonly atBank: PayOutAtBank
  /** What the bank took for it; null where it does not say. */
  readonly tariffCents: Cents | null
  readonly shown: Static<typeof SentShown>
} | null => {
  if (!hasShape(SentShown, shown)) return null
  const amountCents = readValor(shown.valor)
  const state = states[shown.status]
  const returns = itemsOf(shown.devolucoes).filter(isReturnThrough).map(returnIn)
  if (amountCents === null || state === undefined) return null
  if (!returns.every((read) => read !== null)) return null
  const returned = returns.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return {
    reference: shown.idEnvio,
    echo: { reference: shown.idEnvio, amountCents, payee: documentIn(shown.favorecido) },
    atBank: {
      reference: shown.idEnvio,
      state: state === 'DONE' && returned >= amountCents ? 'RETURNED' : state,
      endToEndId: shown.endToEndId ?? null,
      reason: state === 'REFUSED' ? shown.status : null,
      amountCents,
      returns,
    },
    tariffCents: tariffIn(shown.gnExtras),
    shown,
  }
}

const ReturnedShown = Type.Object({
  rtrId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  valor: Type.Unknown(),
  horario: Type.Optional(Type.Unknown()),
})

/** A return that was received, or null where it cannot be read. */
const returnIn = (shown: unknown): PayOutAtBank['returns'][number] | null => {
  if (!hasShape(ReturnedShown, shown)) return null
  const id = shown.rtrId ?? shown.id
  const amountCents = readValor(shown.valor)
  return id === undefined || amountCents === null ? null : { id, amountCents, atMs: momentIn(shown.horario) }
}

/** Efí shows what it takes of a PIX in reais; where nothing is shown nothing is booked. */
const tariffIn = (gnExtras: unknown): Cents | null => {
  const tariff = (gnExtras as { readonly tarifa?: unknown } | null | undefined)?.tarifa
  return tariff === undefined ? null : readValor(tariff)
}

const states: Readonly<Record<string, PayOutAtBank['state']>> = {
  EM_PROCESSAMENTO: 'PROCESSING',
  REALIZADO: 'DONE',
  NAO_REALIZADO: 'REFUSED',
}

/** A key with the document of its owner: the bank pays no other one. A bank account is named by the ISPB. */
const receiverOf = (payee: PayOutAsk['data']['payee']) => {
  const { pixKey, name, document } = payee
  const owner = document.length === 11 ? { cpf: document } : { cnpj: document }
  if (pixKey !== null) return { chave: pixKey, ...owner }
  const found = payeeAccount(payee)
  if (found === null) return null
  const { ispb: codigoBanco, branch: agencia, account: conta } = found
  return { contaBanco: { nome: name, ...owner, codigoBanco, agencia, conta, tipoConta: 'cacc' } }
}

const Owner = Type.Object({ cpf: Type.Optional(Type.String()), cnpj: Type.Optional(Type.String()) })

/** A document with stars in it is none. */
const documentIn = (favorecido: unknown): string | null => {
  const account = (favorecido as { contaBanco?: unknown } | null | undefined)?.contaBanco
  const owner = account ?? favorecido
  const document = hasShape(Owner, owner) ? (owner.cpf ?? owner.cnpj) : undefined
  return document !== undefined && /^(\d{11}|[0-9A-Z]{14})$/.test(document) ? document : null
}

const reasonOf = (name: string | null): RefusalReason =>
  name !== null && /cpf|cnpj|titular|documento/i.test(name) ? 'BENEFICIARY_CHANGED' : 'PROVIDER_ERROR'

/** The bank was never asked. An inquiry asks it all the same: a release that knew the payee's bank may have sent it. */
const unsendable: Extract<ProviderOutcome, { readonly type: 'REFUSED' }> = {
  type: 'REFUSED',
  refusal: bankRefusal({
    name: null,
    text: 'this bank sends PIX alone, to a key or to an account at a bank with an ISPB',
  }),
}
