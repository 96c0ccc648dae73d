import Type from 'typebox'
import { dayMs, readInstant } from '../../../engine/shared/calendar.ts'
import type { Deadline } from '../http/http.ts'
import type { DisputeStep, InquiryOutcome, MedAtBank, ProviderOutcome, RailNotice } from '../port.ts'
import { readValor } from './amounts.ts'
import { elsewise } from './charges.ts'
import type { BankClient } from './client.ts'
import { type BankList, collectPages } from './pages.ts'
import { hasShape } from './shape.ts'
import { bankRefusal, verdictOf } from './verdict.ts'

/** MED as Efí lists them (`/v2/gn/infracoes`, rails, section 2.9 and R10). No inquiry by their id is known. */
export const medListPath = '/v2/gn/infracoes'

/** A MED can be opened up to 80 days after its PIX, is decided within days, and can be contested for 80 days more. */
const lookBackMs = 180 * dayMs

/** The list of what was opened in a window. */
export const medList = (window: BankList['window']): BankList => ({
  path: medListPath,
  list: 'infracoes',
  window,
})

const Infraction = Type.Object({
  idInfracao: Type.String({ minLength: 1, maxLength: 100 }),
  endToEndId: Type.String({ pattern: '^[A-Za-z0-9]{32}$' }),
  valor: Type.Unknown(),
  status: Type.String(),
  razao: Type.Optional(Type.String()),
  tipoSituacao: Type.Optional(Type.String()),
  defesa: Type.Optional(Type.String()),
  criadoEm: Type.String(),
  dadosAnalise: Type.Optional(
    Type.Object({
      prazoFinalizacao: Type.Optional(Type.String()),
      finalizacao: Type.Optional(Type.String()),
    }),
  ),
})

const states: Readonly<Record<string, MedAtBank['state']>> = {
  ABERTA: 'OPEN',
  EM_DEFESA: 'IN_DEFENCE',
  ACEITA: 'ACCEPTED',
  REJEITADA: 'REJECTED',
  CANCELADA_EFI: 'CANCELLED',
}

/** Reads an infraction; null where it makes no sense. */
export const readMed = (shown: unknown): MedAtBank | null => {
  if (!hasShape(Infraction, shown)) return null
  const state = states[shown.status]
  const amountCents = readValor(shown.valor)
  const openedAtMs = readInstant(shown.criadoEm)
  if (state === undefined || amountCents === null || openedAtMs === null) return null
  const { prazoFinalizacao: due, finalizacao: closed } = shown.dadosAnalise ?? {}
  return {
    medId: shown.idInfracao,
    endToEndId: shown.endToEndId,
    state,
    amountCents,
    reason: [shown.razao, shown.tipoSituacao].filter(Boolean).join(': ') || null,
    openedAtMs,
    analysisDueAtMs: due === undefined ? null : readInstant(due),
    closedAtMs: closed === undefined ? null : readInstant(closed),
    hasReturn: null,
  }
}

/** The notice of a MED in its present state; once more when one is accepted for so long that its money has gone back, if any does. */
export const medNotice = (med: MedAtBank, nowMs: number): RailNotice => {
  const { medId, endToEndId, state, openedAtMs } = med
  return {
    kind: 'MED',
    key: `${medId}:${state}${isReturnOverdue(med, nowMs) ? ':RETURN' : ''}`,
    atMs: openedAtMs,
    data: { medId, endToEndId, state },
  }
}

/** What an accepted MED returns is booked when it is seen; one that has returned nothing for a day returns nothing. */
export const isReturnOverdue = ({ state, closedAtMs }: MedAtBank, nowMs: number): boolean =>
  state === 'ACCEPTED' && closedAtMs !== null && nowMs - closedAtMs >= dayMs

/** Finds one MED; null where the bank is silent, undefined where it lists none such. */
export const findMed = async (
  client: BankClient,
  medId: string,
  deadline: Deadline,
): Promise<{ readonly med: MedAtBank; readonly defence: string | null } | null | undefined> => {
  const untilMs = client.io.realNow()
  const items = await collectPages(client, medList({ fromMs: untilMs - lookBackMs, untilMs }), deadline)
  if (items === null) return null
  const shown = items.find((item) => (item as { idInfracao?: unknown } | null)?.idInfracao === medId)
  if (shown === undefined) return undefined
  const med = readMed(shown)
  return med === null ? null : { med, defence: (shown as { defesa?: string }).defesa ?? null }
}

type Defence = { readonly data: DisputeStep }

/** Defends a MED. The answer has no body, so that the list says what was done. A second defence is refused: then the first has to be ours. */
export const defendMedAtBank = async (
  client: BankClient,
  ask: Defence,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  const path = `${medListPath}/${encodeURIComponent(ask.data.disputeId)}/defesa`
  const body = { analise: 'rejeitado', justificativa: ask.data.text }
  const verdict = verdictOf(await client.call({ verb: 'POST', path, body }, deadline))
  if (verdict.type === 'REMOVED') return { type: 'SILENT' }
  if (verdict.type === 'DENIED' || verdict.type === 'LATER' || verdict.type === 'SILENT')
    return elsewise(verdict)
  const found = await inquireDefence(client, ask, deadline)
  if (verdict.type === 'OK') return found.type === 'NOT_FOUND' ? { type: 'SILENT' } : found
  return found.type === 'NOT_FOUND' ? { type: 'REFUSED', refusal: bankRefusal(verdict.problem) } : found
}

/** What became of a defence. */
export const inquireDefence = async (
  client: BankClient,
  { data }: Defence,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  const found = await findMed(client, data.disputeId, deadline)
  if (found === null) return { type: 'SILENT' }
  return found?.defence === data.text ? defended : { type: 'NOT_FOUND' }
}

/** A defence has no reference of ours at the bank. */
const defended: ProviderOutcome = {
  type: 'DONE',
  echo: { reference: null, amountCents: null, payee: null },
  evidence: null,
}
