import { addDays, dayOf, instant } from '../days.ts'
import { toCents } from '../money.ts'
import { writeBrCode } from './br-code.ts'
import type { BankCharges } from './charges.ts'
import type { BankContext } from './context.ts'
import type { Payer } from './payments.ts'
import { type BankRefusal, isRefusal, refuse } from './problems.ts'

export type MandateStatus = 'CRIADA' | 'APROVADA' | 'REJEITADA' | 'EXPIRADA' | 'CANCELADA'

/** A mandate of Pix Automático at the receiver's bank, with what the payer's bank made of it. */
export type BankMandate = {
  readonly idRec: string
  readonly createdMs: number
  readonly body: any
  readonly locationId: number | null
  readonly status: MandateStatus
  readonly journey: 'AGUARDANDO_DEFINICAO' | 'JORNADA_1' | 'JORNADA_2' | 'JORNADA_3' | 'JORNADA_4'
  readonly history: readonly { readonly status: MandateStatus; readonly data: string }[]
  readonly end: any
  readonly payer: Payer | null
  /** The most that the payer lets one charge take; null where there is no bound. */
  readonly maximumCents: number | null
}

type RequestStatus = 'CRIADA' | 'ENVIADA' | 'RECEBIDA' | 'REJEITADA' | 'ACEITA' | 'EXPIRADA' | 'CANCELADA'
type ConfirmationRequest = {
  readonly idSolicRec: string
  readonly body: any
  readonly status: RequestStatus
  readonly history: readonly { readonly status: RequestStatus; readonly data: string }[]
}
type MandateLocation = {
  readonly id: number
  readonly location: string
  readonly createdMs: number
  readonly idRec: string | null
}

/** What a payer does with a mandate that was offered. */
export type PayersAct =
  | { readonly does: 'accept'; readonly payer?: Payer; readonly maximo?: string }
  | { readonly does: 'reject'; readonly codigo?: string }
  | { readonly does: 'cancel' }

export type BankMandates = {
  readonly createLocation: () => any
  readonly showLocation: (id: string) => any
  readonly freeLocation: (id: string) => any
  readonly listLocations: () => readonly any[]
  readonly create: (body: any) => any
  readonly revise: (idRec: string, body: any) => any
  readonly show: (idRec: string, txid?: string) => any
  readonly list: () => readonly BankMandate[]
  readonly showWhole: (mandate: BankMandate) => any
  readonly ask: (body: any) => any
  readonly reviseAsk: (idSolicRec: string, body: any) => any
  readonly showAsk: (idSolicRec: string) => any
  readonly find: (idRec: string) => BankMandate | undefined
  readonly findByLocation: (location: string) => BankMandate | undefined
  /** The payer answers; throws where there is nothing to answer. */
  readonly answer: (idRec: string, act: PayersAct, by?: 'QR' | 'PAYMENT' | 'DUE_PAYMENT') => void
}

/** Opens mandates; `onChange` hears of each new state, `onEnd` when charges of a mandate end with it. */
export const openMandates = (
  { clock, profile, receiver, newId }: BankContext,
  {
    charges,
    onChange,
    onEnd,
  }: {
    readonly charges: BankCharges
    readonly onChange: (mandate: BankMandate) => void
    readonly onEnd: (mandate: BankMandate) => void
  },
): BankMandates => {
  const mandates = new Map<string, BankMandate>()
  const requests = new Map<string, ConfirmationRequest>()
  const locations = new Map<number, MandateLocation>()
  const stamp = () => instant(clock.nowMs())

  const change = (idRec: string, changes: Partial<BankMandate>): BankMandate => {
    const before = mandates.get(idRec)!
    const isNew = changes.status !== undefined && changes.status !== before.status
    const history = isNew ? [...before.history, { status: changes.status!, data: stamp() }] : before.history
    const after = { ...before, ...changes, history }
    mandates.set(idRec, after)
    if (isNew) onChange(after)
    if (isNew && after.status !== 'APROVADA') onEnd(after)
    return after
  }
  const changeRequest = (id: string, status: RequestStatus): ConfirmationRequest => {
    const before = requests.get(id)!
    const after = { ...before, status, history: [...before.history, { status, data: stamp() }] }
    requests.set(id, after)
    return after
  }

  const no = (detail: string, propriedade: string) =>
    refuse(400, 'RecOperacaoInvalida', detail, [{ razao: detail, propriedade }])

  const locationFor = (id: number | undefined, idRec: string | null): BankRefusal | null => {
    if (id === undefined) return null
    const found = locations.get(id)
    if (found === undefined) return no('O location referenciado inexiste.', 'rec.loc')
    if (found.idRec !== null && found.idRec !== idRec)
      return no('O location referenciado já está em uso.', 'rec.loc')
    return null
  }
  const link = (id: number | undefined, idRec: string): void => {
    if (id !== undefined) locations.set(id, { ...locations.get(id)!, idRec })
  }

  const shownLocation = ({ id, location, createdMs, idRec }: MandateLocation) => ({
    id,
    location,
    criacao: instant(createdMs),
    ...(idRec === null ? {} : { idRec }),
  })

  const shown = ({ idRec, body, locationId, status, journey, history, end }: BankMandate): any => {
    const { loc: _, ativacao, recebedor, ...agreed } = body
    // The charge belongs to journey 3 alone, and goes when another was taken.
    const isOpen = journey === 'AGUARDANDO_DEFINICAO' || journey === 'JORNADA_3'
    const dadosJornada = isOpen ? ativacao?.dadosJornada : undefined
    return {
      idRec,
      ...agreed,
      recebedor: { cnpj: receiver.cnpj, nome: receiver.nome, ...recebedor },
      status,
      ...(locationId === null ? {} : { loc: shownLocation(locations.get(locationId)!) }),
      ativacao: { tipoJornada: journey, ...(dadosJornada === undefined ? {} : { dadosJornada }) },
      atualizacao: history,
      ...(end === null ? {} : { encerramento: end }),
    }
  }

  const shownRequest = ({ idSolicRec, body, status, history }: ConfirmationRequest): any => {
    const mandate = mandates.get(body.idRec)!
    const { vinculo, calendario, valor, politicaRetentativa } = mandate.body
    return {
      idSolicRec,
      ...body,
      status,
      atualizacao: history,
      recPayload: {
        idRec: body.idRec,
        vinculo,
        calendario,
        ...(valor === undefined ? {} : { valor }),
        politicaRetentativa,
        recebedor: { cnpj: receiver.cnpj, nome: receiver.nome, ispbParticipante: profile.ispb },
        atualizacao: mandate.history,
      },
    }
  }
  const requestsOf = (idRec: string) => [...requests.values()].filter(({ body }) => body.idRec === idRec)
  const openRequest = (idRec: string) =>
    requestsOf(idRec).find(({ status }) => ['CRIADA', 'ENVIADA', 'RECEBIDA'].includes(status))

  const showWhole = (mandate: BankMandate): any => {
    const solicitacao = requestsOf(mandate.idRec).map(shownRequest)
    const { payer } = mandate
    return {
      ...shown(mandate),
      ...(payer === null
        ? {}
        : {
            pagador: {
              ...(payer.cpf === undefined ? { cnpj: payer.cnpj } : { cpf: payer.cpf }),
              ispbParticipante: payer.ispb,
            },
          }),
      ...(solicitacao.length === 0 ? {} : { solicitacao }),
    }
  }

  /** A composite code needs the locations of both: a mandate without one has no code, whichever charge is named. */
  const codeOf = (mandate: BankMandate, txid: string | undefined): any => {
    const charge = txid === undefined ? undefined : charges.find(txid)
    if (txid !== undefined) {
      const named = mandate.body.ativacao?.dadosJornada?.txid
      const no = (detail: string) =>
        refuse(400, 'RecConsultaInvalida', detail, [{ razao: detail, propriedade: 'rec.query.txid' }])
      if (charge === undefined) return no('O txid não corresponde a uma cobrança.')
      if (charge.kind === 'cobv' && mandate.journey === 'JORNADA_3')
        return no('O txid não corresponde a uma cobrança compatível com a jornada.')
      if (charge.kind === 'cob' && named !== undefined && named !== txid)
        return no('O txid difere da cobrança da jornada.')
    }
    if (mandate.locationId === null) return undefined
    return {
      jornada: charge === undefined ? 'JORNADA_2' : charge.kind === 'cob' ? 'JORNADA_3' : 'JORNADA_4',
      pixCopiaECola: writeBrCode({
        ...(charge === undefined ? {} : { location: charge.location }),
        recurrenceLocation: locations.get(mandate.locationId)!.location,
        name: receiver.nome,
        city: receiver.cidade,
      }),
    }
  }

  const expireRequest = (idSolicRec: string): void => {
    const { body, status } = requests.get(idSolicRec)!
    if (!['CRIADA', 'ENVIADA', 'RECEBIDA'].includes(status)) return
    changeRequest(idSolicRec, 'EXPIRADA')
    if (mandates.get(body.idRec)!.status === 'CRIADA') change(body.idRec, { status: 'EXPIRADA' })
  }

  const findLocation = (id: string): MandateLocation | BankRefusal =>
    locations.get(Number(id)) ?? refuse(404, 'PayloadLocationRecNaoEncontrado', 'Location não encontrada.')

  return {
    createLocation: () => {
      const id = newId.number()
      const location = `${profile.name}.example/qr/v2/rec/${newId.token(32)}`
      locations.set(id, { id, location, createdMs: clock.nowMs(), idRec: null })
      return shownLocation(locations.get(id)!)
    },
    showLocation: (id) => {
      const found = findLocation(id)
      return isRefusal(found) ? found : shownLocation(found)
    },
    freeLocation: (id) => {
      const found = findLocation(id)
      if (isRefusal(found)) return found
      if (found.idRec !== null) change(found.idRec, { locationId: null })
      locations.set(found.id, { ...found, idRec: null })
      return shownLocation(locations.get(found.id)!)
    },
    listLocations: () => [...locations.values()].map(shownLocation),
    create: (body) => {
      const { dataInicial, dataFinal } = body.calendario
      if (dataInicial < dayOf(clock.nowMs()))
        return no('A data inicial é anterior à criação.', 'rec.calendario.dataInicial')
      if (dataFinal !== undefined && dataFinal < dataInicial)
        return no('A data final é anterior à inicial.', 'rec.calendario.dataFinal')
      const wrong = locationFor(body.loc, null)
      if (wrong !== null) return wrong
      const idRec = newId.recurrence(body.politicaRetentativa === 'NAO_PERMITE' ? 'RN' : 'RR', profile.ispb)
      const mandate: BankMandate = {
        idRec,
        createdMs: clock.nowMs(),
        body,
        locationId: body.loc ?? null,
        status: 'CRIADA',
        journey: 'AGUARDANDO_DEFINICAO',
        history: [{ status: 'CRIADA', data: stamp() }],
        end: null,
        payer: null,
        maximumCents: null,
      }
      mandates.set(idRec, mandate)
      link(body.loc, idRec)
      return shown(mandate)
    },
    revise: (idRec, body) => {
      const mandate = mandates.get(idRec)
      if (mandate === undefined)
        return refuse(404, 'RecNaoEncontrada', 'Recorrência não encontrada para o idRec informado.')
      if (!['CRIADA', 'APROVADA'].includes(mandate.status))
        return no('A recorrência encontra-se expirada, cancelada ou rejeitada.', 'rec.status')
      if ((body.loc !== undefined || body.calendario !== undefined) && mandate.status !== 'CRIADA')
        return no('Location e data inicial só mudam enquanto CRIADA.', 'rec.loc')
      const wrong = locationFor(body.loc, idRec)
      if (wrong !== null) return wrong
      if (
        body.calendario?.dataInicial !== undefined &&
        body.calendario.dataInicial < dayOf(mandate.createdMs)
      )
        return no('A data inicial é anterior à criação.', 'rec.calendario.dataInicial')
      link(body.loc, idRec)
      const { status, loc, vinculo, calendario, ativacao } = body
      const changed = change(idRec, {
        body: {
          ...mandate.body,
          ...(vinculo === undefined
            ? {}
            : {
                vinculo: {
                  ...mandate.body.vinculo,
                  devedor: { ...mandate.body.vinculo.devedor, ...vinculo.devedor },
                },
              }),
          ...(calendario === undefined ? {} : { calendario: { ...mandate.body.calendario, ...calendario } }),
          ...(ativacao === undefined ? {} : { ativacao }),
        },
        ...(loc === undefined ? {} : { locationId: loc }),
        ...(status === undefined
          ? {}
          : { status: 'CANCELADA' as const, end: cancelled('USUARIO_RECEBEDOR', 'SLCR') }),
      })
      return shown(changed)
    },
    show: (idRec, txid) => {
      const mandate = mandates.get(idRec)
      if (mandate === undefined)
        return refuse(404, 'RecNaoEncontrada', 'Recorrência não encontrada para o idRec informado.')
      const dadosQR = codeOf(mandate, txid)
      if (isRefusal(dadosQR)) return dadosQR
      return { ...showWhole(mandate), ...(dadosQR === undefined ? {} : { dadosQR }) }
    },
    list: () => [...mandates.values()],
    showWhole,
    ask: (body) => {
      const noAsk = (status: number, name: string, detail: string) =>
        refuse(status, name, detail, [{ razao: detail, propriedade: 'solicrec' }])
      const mandate = mandates.get(body.idRec)
      if (mandate === undefined)
        return refuse(404, 'RecNaoEncontrada', 'Recorrência não encontrada para o idRec informado.')
      if (mandate.status !== 'CRIADA')
        return noAsk(400, 'SolicRecOperacaoInvalida', 'A recorrência não está CRIADA.')
      const expiresMs = Date.parse(body.calendario.dataExpiracaoSolicitacao)
      if (expiresMs < clock.nowMs())
        return noAsk(400, 'SolicRecOperacaoInvalida', 'A solicitação expira antes da criação.')
      if (openRequest(body.idRec) !== undefined)
        return noAsk(400, 'SolicRecOperacaoInvalida', 'Existe uma solicitação ativa para a recorrência.')
      const idSolicRec = newId.recurrence('SC', profile.ispb)
      requests.set(idSolicRec, {
        idSolicRec,
        body,
        status: 'CRIADA',
        history: [{ status: 'CRIADA', data: stamp() }],
      })
      const answered = shownRequest(requests.get(idSolicRec)!)
      clock.at(clock.nowMs() + 1000, () => {
        if (requests.get(idSolicRec)!.status !== 'CRIADA') return
        changeRequest(idSolicRec, 'ENVIADA')
        changeRequest(idSolicRec, 'RECEBIDA')
      })
      clock.at(expiresMs, () => expireRequest(idSolicRec))
      return answered
    },
    reviseAsk: (idSolicRec) => {
      const found = requests.get(idSolicRec)
      if (found === undefined) return refuse(404, 'SolicRecNaoEncontrada', 'Solicitação não encontrada.')
      if (!['CRIADA', 'ENVIADA', 'RECEBIDA'].includes(found.status))
        return refuse(400, 'SolicRecOperacaoInvalida', `A solicitação está ${found.status}.`)
      return shownRequest(changeRequest(idSolicRec, 'CANCELADA'))
    },
    showAsk: (idSolicRec) => {
      const found = requests.get(idSolicRec)
      return found === undefined
        ? refuse(404, 'SolicRecNaoEncontrada', 'Solicitação não encontrada.')
        : shownRequest(found)
    },
    find: (idRec) => mandates.get(idRec),
    findByLocation: (location) => {
      const found = [...locations.values()].find((of) => of.location === location)
      return found?.idRec == null ? undefined : mandates.get(found.idRec)
    },
    answer: (idRec, act, by) => {
      const mandate = mandates.get(idRec)
      if (mandate === undefined) throw new Error(`no mandate ${idRec}`)
      if (act.does === 'cancel') {
        if (mandate.status !== 'APROVADA') throw new Error(`mandate is ${mandate.status}`)
        change(idRec, { status: 'CANCELADA', end: cancelled('USUARIO_PAGADOR', 'SLDB') })
        return
      }
      if (mandate.status !== 'CRIADA') throw new Error(`mandate is ${mandate.status}`)
      const request = openRequest(idRec)
      if (by === undefined && request === undefined)
        throw new Error('the payer was not asked and read no code')
      if (act.does === 'reject') {
        // Only a request can be rejected; a code is simply not used.
        if (request === undefined) throw new Error('a code cannot be rejected')
        changeRequest(request.idSolicRec, 'REJEITADA')
        const codigo = act.codigo ?? 'AP13'
        change(idRec, {
          status: 'REJEITADA',
          end: { rejeicao: { codigo, descricao: 'Recusada pelo usuário pagador.' } },
        })
        return
      }
      if (by === undefined) changeRequest(request!.idSolicRec, 'ACEITA')
      const journey =
        by === undefined
          ? 'JORNADA_1'
          : ({ QR: 'JORNADA_2', PAYMENT: 'JORNADA_3', DUE_PAYMENT: 'JORNADA_4' } as const)[by]
      change(idRec, {
        status: 'APROVADA',
        journey,
        payer: act.payer ?? payerOf(mandate, request),
        maximumCents: act.maximo === undefined ? null : toCents(act.maximo),
      })
    },
  }
}

const cancelled = (solicitante: string, codigo: string) => ({
  cancelamento: { solicitante, codigo, descricao: 'Cancelada a pedido.' },
})

const payerOf = ({ body }: BankMandate, request: ConfirmationRequest | undefined): Payer => ({
  ...body.vinculo.devedor,
  ispb: request?.body.destinatario.ispbParticipante ?? '60746948',
})

/** The cycle of a mandate that a day is in, counted from its first. */
export const cycleOf = (calendario: any, day: string): number => {
  let cycle = 0
  while (startOfCycle(calendario, cycle + 1) <= day) cycle++
  return cycle
}

/** The first day of a cycle; months that are too short end it on their last day. */
export const startOfCycle = ({ dataInicial, periodicidade }: any, cycle: number): string => {
  if (periodicidade === 'SEMANAL') return addDays(dataInicial, cycle * 7)
  const months = { MENSAL: 1, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 }[periodicidade as 'MENSAL'] * cycle
  const [year, month, day] = dataInicial.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return `${first.toISOString().slice(0, 8)}${String(Math.min(day, last)).padStart(2, '0')}`
}
