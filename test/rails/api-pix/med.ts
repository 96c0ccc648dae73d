import { addDays, dayOf, instant, momentOf } from '../days.ts'
import { toCents } from '../money.ts'
import type { BankBook } from './book.ts'
import type { BankContext } from './context.ts'
import { type BankPayments, paged } from './payments.ts'
import { type BankRefusal, refuse } from './problems.ts'

/** A notice of the payer's bank that a PIX was a fraud: money is blocked, and may go back (Mecanismo Especial de Devolução). */
export type Infraction = {
  readonly id: string
  readonly protocol: number
  readonly endToEndId: string
  readonly cents: number
  readonly status: 'ABERTA' | 'EM_DEFESA' | 'ACEITA' | 'REJEITADA' | 'CANCELADA_EFI'
  readonly openedMs: number
  readonly changedMs: number
  readonly deadlineMs: number
  readonly defence: { readonly text: string; readonly atMs: number } | null
  readonly closedMs: number | null
  /** What went back; more may follow while money appears. */
  readonly returnedCents: number
}

export type BankMeds = {
  readonly open: (of: { readonly endToEndId: string; readonly valor?: string }) => Infraction
  readonly close: (
    id: string,
    status: 'ACEITA' | 'REJEITADA' | 'CANCELADA_EFI',
    natureza?: string,
  ) => Infraction
  /** The receiver contested what had gone back, and won. */
  readonly reverse: (id: string) => void
  readonly defend: (id: string, text: string) => Infraction | BankRefusal
  readonly isContested: (endToEndId: string) => boolean
  readonly list: (query: Readonly<Record<string, string>>) => any
  readonly all: () => readonly Infraction[]
}

/** Opens the infractions of the account. */
export const openMeds = (
  { clock, newId, receiver, profile }: BankContext,
  { book, payments }: { readonly book: BankBook; readonly payments: BankPayments },
): BankMeds => {
  const infractions = new Map<string, Infraction>()
  const find = (id: string): Infraction => {
    const found = infractions.get(id)
    if (found === undefined) throw new Error(`no infraction ${id}`)
    return found
  }
  const change = (id: string, changes: Partial<Infraction>): Infraction => {
    const after = { ...find(id), ...changes, changedMs: clock.nowMs() }
    infractions.set(id, after)
    return after
  }
  const isOpen = ({ status }: Infraction) => status === 'ABERTA' || status === 'EM_DEFESA'
  const notReturned = (endToEndId: string): number =>
    payments.find(endToEndId)!.cents -
    payments
      .returnsOf(endToEndId)
      .filter(({ status }) => status !== 'NAO_REALIZADO')
      .reduce((sum, { cents }) => sum + cents, 0)

  const shown = (infraction: Infraction): any => {
    const pix = payments.find(infraction.endToEndId)!
    const { defence, closedMs } = infraction
    return {
      idInfracao: infraction.id,
      endToEndId: infraction.endToEndId,
      protocolo: infraction.protocol,
      dataTransacao: instant(pix.atMs),
      valor: infraction.cents / 100,
      chave: pix.chave,
      status: infraction.status,
      razao: 'Solicitação de devolução',
      tipoSituacao: 'golpe',
      ...(defence === null ? {} : { defesa: defence.text }),
      identificadorTicket: [infraction.protocol],
      dadosAnalise: {
        abertura: instant(infraction.openedMs),
        prazoFinalizacao: instant(infraction.deadlineMs),
        ...(defence === null ? {} : { recebimentoDefesa: instant(defence.atMs) }),
        ...(closedMs === null ? {} : { finalizacao: instant(closedMs) }),
      },
      origem: {
        nomeParticipante: 'Banco do pagador',
        conta: 10001,
        nome: pix.payer.nome,
        documento: pix.payer.cpf ?? pix.payer.cnpj,
      },
      destino: {
        nomeParticipante: profile.label,
        conta: Number(receiver.conta),
        nome: receiver.nome,
        documento: receiver.cnpj,
      },
      criadoEm: instant(infraction.openedMs),
      atualizadoEm: instant(infraction.changedMs),
    }
  }

  return {
    open: ({ endToEndId, valor }) => {
      const pix = payments.find(endToEndId)
      if (pix === undefined) throw new Error(`no PIX ${endToEndId}`)
      const cents = Math.min(valor === undefined ? pix.cents : toCents(valor), notReturned(endToEndId))
      const id = newId.uuid()
      const deadlineMs = momentOf(addDays(dayOf(clock.nowMs()), 8))
      infractions.set(id, {
        id,
        protocol: newId.number(),
        endToEndId,
        cents,
        status: 'ABERTA',
        openedMs: clock.nowMs(),
        changedMs: clock.nowMs(),
        deadlineMs,
        defence: null,
        closedMs: null,
        returnedCents: 0,
      })
      book.block(id, cents)
      return find(id)
    },
    close: (id, status, natureza = 'MED_FRAUDE') => {
      const infraction = find(id)
      if (!isOpen(infraction)) throw new Error(`infraction ${id} is ${infraction.status}`)
      book.unblock(id)
      const cents = Math.min(
        infraction.cents,
        notReturned(infraction.endToEndId),
        Math.max(book.availableCents(), 0),
      )
      const goesBack = status === 'ACEITA' && cents > 0
      if (goesBack) payments.makeReturn({ endToEndId: infraction.endToEndId, cents, natureza })
      return change(id, { status, closedMs: clock.nowMs(), returnedCents: goesBack ? cents : 0 })
    },
    reverse: (id) => {
      const { endToEndId, returnedCents, status } = find(id)
      if (status !== 'ACEITA' || returnedCents === 0) throw new Error('nothing went back')
      book.record({
        atMs: clock.nowMs(),
        kind: 'MED_REVERSED',
        cents: returnedCents,
        endToEndId,
        txid: null,
        returnId: id,
        rtrId: null,
      })
      change(id, { returnedCents: 0 })
    },
    defend: (id, text) => {
      const infraction = infractions.get(id)
      if (infraction === undefined) return refuse(404, 'InfracaoNaoEncontrada', 'Infração não encontrada.')
      const no = (status: number, razao: string) =>
        refuse(status, 'InfracaoOperacaoInvalida', 'A defesa não pode ser apresentada.', [
          { razao, propriedade: 'infracao' },
        ])
      if (infraction.defence !== null) return no(409, 'A defesa para essa infração já foi criada.')
      if (!isOpen(infraction) || clock.nowMs() >= infraction.deadlineMs)
        return no(422, 'O prazo para defesa foi excedido.')
      return change(id, { status: 'EM_DEFESA', defence: { text, atMs: clock.nowMs() } })
    },
    isContested: (endToEndId) =>
      [...infractions.values()].some((of) => of.endToEndId === endToEndId && isOpen(of)),
    list: (query) => {
      const fitting = [...infractions.values()].filter(
        ({ openedMs }) => openedMs >= Date.parse(query.inicio!) && openedMs <= Date.parse(query.fim!),
      )
      return paged(query, fitting.map(shown), 'infracoes')
    },
    all: () => [...infractions.values()],
  }
}
