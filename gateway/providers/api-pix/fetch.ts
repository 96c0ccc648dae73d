import type { Deadline } from '../http/http.ts'
import type { Fetched, MedAtBank, PixReceived, RailNotice, RailObject } from '../port.ts'
import type { BankCall, BankClient } from './client.ts'
import { readMandate, readMandateCharge } from './mandates.ts'
import { findMed, isReturnOverdue } from './meds.ts'
import { readPix } from './pix.ts'
import { readSentAtEfi, sentAtEfiPath } from './sends-efi.ts'
import { verdictOf } from './verdict.ts'

/** The object that a notice names, as the bank has it now. Another object than the one that was asked for is none. */
export const fetchNoticed = async (
  client: BankClient,
  notice: RailNotice,
  deadline: Deadline,
): Promise<Fetched> => {
  const read = (path: BankCall['path'], reader: (body: unknown) => RailObject | null) =>
    fetchAt(client, path, reader, deadline)
  const { pixAutomatic } = client.settings
  if ((notice.kind === 'MANDATE' || notice.kind === 'MANDATE_CHARGE') && pixAutomatic !== true)
    return { type: 'NOT_FOUND' }
  switch (notice.kind) {
    case 'PIX_IN':
    case 'PIX_RETURN': {
      const { endToEndId } = notice.data
      return read(['pix', endToEndId], (body) => pixOf(client, body, endToEndId))
    }
    case 'MED': {
      if (client.profile.medFeed === null) return { type: 'NOT_FOUND' }
      const found = await findMed(client, notice.data.medId, deadline)
      if (found === null) return { type: 'SILENT' }
      return found === undefined ? { type: 'NOT_FOUND' } : medWithReturn(client, found.med, deadline)
    }
    case 'PAYOUT_STATE': {
      // Inter finds what was sent by a number of its own, which no notice of ours can name.
      if (client.profile.payOut?.kind !== 'EFI') return { type: 'NOT_FOUND' }
      const { reference } = notice.data
      return read(sentAtEfiPath(reference), (body) => {
        const sent = readSentAtEfi(body)
        return sent?.reference === reference ? { kind: 'PAYOUT', ...sent.atBank } : null
      })
    }
    case 'MANDATE': {
      const { mandateId } = notice.data
      return read(['rec', mandateId], (body) => {
        const mandate = readMandate(body)
        return mandate?.mandateId === mandateId ? { kind: 'MANDATE', ...mandate } : null
      })
    }
    case 'MANDATE_CHARGE':
      return fetchMandateCharge(client, notice.data.txid, deadline)
    default:
      return { type: 'NOT_FOUND' }
  }
}

/** A charge that is paid before its payment shows: what was paid is read where it came in. */
const fetchMandateCharge = async (client: BankClient, txid: string, deadline: Deadline): Promise<Fetched> => {
  const fetched = await fetchAt(
    client,
    ['cobr', txid],
    (body) => {
      const charge = readMandateCharge(body, client.profile)
      return charge?.txid === txid ? { kind: 'MANDATE_CHARGE', ...charge } : null
    },
    deadline,
  )
  if (fetched.type !== 'FOUND' || fetched.object.kind !== 'MANDATE_CHARGE') return fetched
  const { object } = fetched
  if (object.state !== 'PAID' || object.payments.length > 0) return fetched
  const endToEndId = object.attempts.find(({ state }) => state === 'PAID')?.endToEndId ?? null
  if (endToEndId === null) return { type: 'SILENT' }
  const paid = await fetchAt(client, ['pix', endToEndId], (body) => pixOf(client, body, endToEndId), deadline)
  if (paid.type !== 'FOUND' || paid.object.kind !== 'PIX') return { type: 'SILENT' }
  const { kind: _, ...payment } = paid.object
  return { type: 'FOUND', object: { ...object, payments: [payment satisfies PixReceived] } }
}

/** The list of MED does not say whether one that was accepted has returned anything: the payment does. */
const medWithReturn = async (client: BankClient, med: MedAtBank, deadline: Deadline): Promise<Fetched> => {
  if (!isReturnOverdue(med, client.io.realNow())) return { type: 'FOUND', object: { kind: 'MED', ...med } }
  const { endToEndId } = med
  const paid = await fetchAt(client, ['pix', endToEndId], (body) => pixOf(client, body, endToEndId), deadline)
  if (paid.type !== 'FOUND' || paid.object.kind !== 'PIX') return paid
  const hasReturn = paid.object.returns.some(
    ({ nature, status }) => nature.startsWith('MED_') && status !== 'NOT_DONE',
  )
  return { type: 'FOUND', object: { kind: 'MED', ...med, hasReturn } }
}

const pixOf = ({ profile }: BankClient, body: unknown, endToEndId: string): RailObject | null => {
  const pix = readPix(body, profile)
  return pix?.endToEndId === endToEndId ? { kind: 'PIX', ...pix } : null
}

const fetchAt = async (
  client: BankClient,
  path: BankCall['path'],
  reader: (body: unknown) => RailObject | null,
  deadline: Deadline,
): Promise<Fetched> => {
  const verdict = verdictOf(await client.call({ verb: 'GET', path }, deadline))
  if (verdict.type === 'ABSENT') return { type: 'NOT_FOUND' }
  const object = verdict.type === 'OK' ? reader(verdict.body) : null
  return object === null ? { type: 'SILENT' } : { type: 'FOUND', object }
}
