import Type from 'typebox'
import { dayMs, isoInstant } from '../../../engine/shared/calendar.ts'
import type { Deadline } from '../http/http.ts'
import type { InquiryOutcome, ProviderAsk, ProviderOutcome } from '../port.ts'
import { valorOf } from './amounts.ts'
import { cut, elsewise, partyOf } from './charges.ts'
import type { BankClient } from './client.ts'
import { readDynamicCode } from './dynamic-code.ts'
import { readMandate } from './mandates.ts'
import { collectPages } from './pages.ts'
import { hasShape } from './shape.ts'
import { type BankVerdict, bankRefusal, verdictOf } from './verdict.ts'

/**
 * Mandates of Pix Automático (rails, section 4). The bank makes their ids, so one whose answer was lost is found by what was agreed: contract,
 * payer, amount and dates. A mandate that was offered twice moves no money.
 */
type Offer = Extract<ProviderAsk, { readonly operation: 'MANDATE_CREATE' }>
type Ending = Extract<ProviderAsk, { readonly operation: 'MANDATE_CANCEL' }>

const silent = { type: 'SILENT' } as const
/** A payer has so long to confirm a mandate that their bank shows them. */
const confirmedWithinMs = 3 * dayMs
/** The bank's clock may be behind ours. */
const clocksDifferMs = 5 * 60_000

/** Offers a mandate: by its bank to the payer, or by a code. What is there from an earlier attempt is taken up where it stopped. */
export const offerMandate = async (
  client: BankClient,
  ask: Offer,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const { data } = ask
  const wrong = faultOf(client, ask)
  if (wrong !== null) return { type: 'REFUSED', refusal: bankRefusal({ name: null, text: wrong }) }
  const earlier = ask.asked === 0 ? undefined : await findOffer(client, ask, deadline)
  if (earlier === null) return silent
  const offer = earlier ?? (await createOffer(client, ask, deadline))
  if ('type' in offer) return offer
  if (data.journey !== 'NOTIFICATION') return withCode(client, ask, offer, deadline)
  if (offer.isRequested) return offered(offer.idRec, null)
  const { payerAccount, customer } = data
  const { nome: _, ...document } = partyOf(customer)!
  const verdict = await send(client, deadline, 'POST', ['solicrec'], {
    idRec: offer.idRec,
    calendario: { dataExpiracaoSolicitacao: isoInstant(client.io.realNow() + confirmedWithinMs) },
    destinatario: {
      ...document,
      // API Pix writes an account with its check digit and without a hyphen, and a branch without either.
      conta: payerAccount!.account.replaceAll('-', ''),
      ispbParticipante: payerAccount!.ispb,
      ...(payerAccount!.branch === null ? {} : { agencia: payerAccount!.branch.split('-')[0]! }),
    },
  })
  if (verdict.type === 'OK') return offered(offer.idRec, null)
  if (verdict.type !== 'REFUSED') return elsewiseOf(verdict)
  // The payer is asked once: a refusal may mean that they have been.
  const found = await findOffer(client, ask, deadline)
  if (found === null) return silent
  return found?.isRequested === true ? offered(found.idRec, null) : elsewiseOf(verdict)
}

/** What became of an offer. One without its code, or without its payer having been asked, is not made yet. */
export const inquireOffer = async (
  client: BankClient,
  ask: Offer,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  if (faultOf(client, ask) !== null) return { type: 'NOT_FOUND' }
  const offer = await findOffer(client, ask, deadline)
  if (offer === null) return silent
  if (offer === undefined) return { type: 'NOT_FOUND' }
  if (ask.data.journey !== 'NOTIFICATION') return withCode(client, ask, offer, deadline)
  return offer.isRequested ? offered(offer.idRec, null) : { type: 'NOT_FOUND' }
}

/** Ends a mandate (`PATCH /rec/{idRec}`). One that has ended otherwise is ended, too. */
export const endMandate = async (
  client: BankClient,
  ask: Ending,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const { mandateId } = ask.data
  const verdict = await send(client, deadline, 'PATCH', ['rec', mandateId], { status: 'CANCELADA' })
  if (verdict.type === 'OK') {
    const ended = endedAs(mandateId, verdict.body)
    return ended.type === 'NOT_FOUND' ? silent : ended
  }
  if (verdict.type !== 'REFUSED') return elsewiseOf(verdict)
  const found = await inquireEnded(client, ask, deadline)
  return found.type === 'NOT_FOUND' ? elsewiseOf(verdict) : found
}

/** What became of an ending: a mandate that still allows charges has not ended. */
export const inquireEnded = async (
  client: BankClient,
  { data: { mandateId } }: Ending,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  const verdict = await send(client, deadline, 'GET', ['rec', mandateId])
  if (verdict.type === 'ABSENT') return { type: 'NOT_FOUND' }
  if (verdict.type !== 'OK') return verdict.type === 'REMOVED' ? silent : elsewise(verdict, false)
  return endedAs(mandateId, verdict.body)
}

const endedAs = (mandateId: string, body: unknown): InquiryOutcome => {
  const mandate = readMandate(body)
  if (mandate === null || mandate.mandateId !== mandateId) return silent
  return mandate.state === 'CREATED' || mandate.state === 'ACTIVE'
    ? { type: 'NOT_FOUND' }
    : offered(mandateId, null)
}

const faultOf = ({ settings }: BankClient, { data }: Offer): string | null => {
  if (settings.pixAutomatic !== true) return 'Pix Automático is not enabled for this connection'
  if (partyOf(data.customer) === null) return 'a mandate needs the name and document of its payer'
  if (data.fixedCents !== null && data.minCents !== null)
    return 'a mandate has a fixed amount or a smallest one'
  if (data.journey === 'NOTIFICATION' && data.payerAccount == null)
    return 'the payer is asked by the bank of an account, which is missing'
  if (data.txid === null && (data.journey === 'QR_WITH_PAYMENT' || data.journey === 'OPTIONAL'))
    return 'the code also pays a charge, which is missing'
  return null
}

/** A mandate at the bank; `isRequested` says whether the payer's bank was asked to have it confirmed. */
type Offered = { readonly idRec: string; readonly isRequested: boolean }

const RecMade = Type.Object({ idRec: Type.String({ pattern: '^[A-Za-z0-9]{20,40}$' }) })
const LocMade = Type.Object({ id: Type.Integer() })

const createOffer = async (
  client: BankClient,
  { data }: Offer,
  deadline: Deadline,
): Promise<Offered | ProviderOutcome> => {
  let loc: number | null = null
  // A code that also pays needs the locations of both, as the document has it.
  if (data.journey !== 'NOTIFICATION') {
    const made = await send(client, deadline, 'POST', ['locrec'])
    if (made.type !== 'OK') return elsewiseOf(made)
    if (!hasShape(LocMade, made.body)) return silent
    loc = made.body.id
  }
  const verdict = await send(client, deadline, 'POST', ['rec'], bodyOf(data, loc))
  if (verdict.type === 'OK')
    return hasShape(RecMade, verdict.body) ? { idRec: verdict.body.idRec, isRequested: false } : silent
  if (verdict.type === 'REFUSED' || verdict.type === 'ABSENT')
    return { type: 'REFUSED', refusal: bankRefusal(verdict.problem) }
  return elsewiseOf(verdict)
}

const bodyOf = (data: Offer['data'], loc: number | null) => ({
  vinculo: vinculoOf(data),
  calendario: calendarOf(data),
  ...(data.fixedCents !== null
    ? { valor: { valorRec: valorOf(data.fixedCents) } }
    : data.minCents !== null
      ? { valor: { valorMinimoRecebedor: valorOf(data.minCents) } }
      : {}),
  politicaRetentativa: data.allowsRetries ? 'PERMITE_3R_7D' : 'NAO_PERMITE',
  ...(loc === null ? {} : { loc }),
  ...(data.journey === 'QR_WITH_PAYMENT' ? { ativacao: { dadosJornada: { txid: data.txid! } } } : {}),
})

const vinculoOf = ({ contract, object, customer }: Offer['data']) => ({
  contrato: cut(contract, 35),
  devedor: partyOf(customer, 140)!,
  objeto: cut(object, 35),
})

const calendarOf = ({ startOn, endOn, periodicity }: Offer['data']) => ({
  dataInicial: startOn,
  periodicidade: periodicity,
  ...(endOn === null ? {} : { dataFinal: endOn }),
})

const RecListed = Type.Object({
  idRec: Type.String({ pattern: '^[A-Za-z0-9]{20,40}$' }),
  status: Type.String(),
  vinculo: Type.Object({ contrato: Type.String(), objeto: Type.Optional(Type.String()) }),
  calendario: Type.Object({ dataInicial: Type.String(), periodicidade: Type.String() }),
  valor: Type.Optional(
    Type.Object({
      valorRec: Type.Optional(Type.String()),
      valorMinimoRecebedor: Type.Optional(Type.String()),
    }),
  ),
  loc: Type.Optional(Type.Unknown()),
  solicitacao: Type.Optional(Type.Unknown()),
})

/** The mandate that this ask created; null where the bank is silent, undefined where there is none. One that was cancelled is another offer's. */
const findOffer = async (
  client: BankClient,
  { data, openedAtMs }: Offer,
  deadline: Deadline,
): Promise<Offered | null | undefined> => {
  const fromMs = openedAtMs - clocksDifferMs
  const window = { fromMs, untilMs: Math.max(client.io.realNow(), fromMs) }
  const { nome: _, ...document } = partyOf(data.customer)!
  const items = await collectPages(
    client,
    { path: ['rec'], list: 'recs', window, query: document as Record<string, string> },
    deadline,
  )
  if (items === null) return null
  const { contrato, objeto } = vinculoOf(data)
  const found = items.find(
    (item) =>
      hasShape(RecListed, item) &&
      item.status !== 'CANCELADA' &&
      item.vinculo.contrato === contrato &&
      item.vinculo.objeto === objeto &&
      item.calendario.dataInicial === data.startOn &&
      item.calendario.periodicidade === data.periodicity &&
      item.valor?.valorRec === (data.fixedCents === null ? undefined : valorOf(data.fixedCents)) &&
      item.valor?.valorMinimoRecebedor === (data.minCents === null ? undefined : valorOf(data.minCents)) &&
      (item.loc === undefined) === (data.journey === 'NOTIFICATION'),
  )
  if (!hasShape(RecListed, found)) return undefined
  return {
    idRec: found.idRec,
    isRequested: Array.isArray(found.solicitacao) && found.solicitacao.length > 0,
  }
}

const RecWithCode = Type.Object({
  idRec: Type.String(),
  dadosQR: Type.Optional(Type.Object({ pixCopiaECola: Type.Optional(Type.String()) })),
})

/** A mandate is offered by its code: without one that payers' apps can read nothing is offered yet. */
const withCode = async (
  client: BankClient,
  { data }: Offer,
  { idRec }: Offered,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const query = data.journey === 'QR' || data.txid === null ? {} : { txid: data.txid }
  const verdict = verdictOf(await client.call({ verb: 'GET', path: ['rec', idRec], query }, deadline))
  if (verdict.type !== 'OK') return verdict.type === 'LATER' ? elsewise(verdict, false) : silent
  if (!hasShape(RecWithCode, verdict.body) || verdict.body.idRec !== idRec) return silent
  const copyPaste = verdict.body.dadosQR?.pixCopiaECola
  const code = copyPaste === undefined ? null : readDynamicCode(copyPaste)
  const pays = data.journey === 'QR_WITH_PAYMENT' || data.journey === 'OPTIONAL'
  if (copyPaste === undefined || code?.recurrenceLocation == null || (code.location !== null) !== pays)
    return silent
  return offered(idRec, copyPaste)
}

/** The bank made the id: there is no reference of ours to be echoed. */
const offered = (mandateId: string, copyPaste: string | null): ProviderOutcome => ({
  type: 'DONE',
  echo: { reference: null, amountCents: null, payee: null },
  evidence: { kind: 'MANDATE', mandateId, networkReference: null, copyPaste },
})

const send = async (
  client: BankClient,
  deadline: Deadline,
  verb: 'GET' | 'POST' | 'PATCH',
  path: readonly ['rec' | 'solicrec' | 'locrec', ...string[]],
  body?: unknown,
): Promise<BankVerdict> => verdictOf(await client.call({ verb, path, body }, deadline))

/** A step that the bank refuses leaves what was made before it: the next repeat begins there. */
const elsewiseOf = (verdict: Exclude<BankVerdict, { readonly type: 'OK' }>): ProviderOutcome => {
  if (verdict.type === 'REFUSED' || verdict.type === 'ABSENT')
    return { type: 'REFUSED', refusal: bankRefusal(verdict.problem) }
  return elsewise(verdict)
}
