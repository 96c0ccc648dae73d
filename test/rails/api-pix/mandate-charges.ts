import { addDays, businessDayFrom, dayOf, daysBetween, instant, momentOf } from '../days.ts'
import { toCents } from '../money.ts'
import type { BankContext } from './context.ts'
import { type BankMandate, type BankMandates, cycleOf, startOfCycle } from './mandates.ts'
import type { BankPayments } from './payments.ts'
import { type BankRefusal, refuse } from './problems.ts'

type ChargeStatus = 'CRIADA' | 'ATIVA' | 'CONCLUIDA' | 'EXPIRADA' | 'REJEITADA' | 'CANCELADA'
type AttemptStatus = 'SOLICITADA' | 'AGENDADA' | 'PAGA' | 'CANCELADA' | 'REJEITADA' | 'EXPIRADA'

type Attempt = {
  readonly endToEndId: string
  readonly day: string
  /** AGND is the first; RIFL the payer's bank's own second on the same day; NTAG one that the receiver asked for. */
  readonly tipo: 'AGND' | 'NTAG' | 'RIFL'
  readonly status: AttemptStatus
  readonly history: readonly { readonly status: AttemptStatus; readonly data: string }[]
  readonly codigo: string | null
}

/** A charge of a mandate: one a cycle, settled by the payer's bank. */
export type MandateCharge = {
  readonly txid: string
  readonly idRec: string
  readonly createdMs: number
  readonly body: any
  readonly status: ChargeStatus
  readonly history: readonly { readonly status: ChargeStatus; readonly data: string }[]
  readonly attempts: readonly Attempt[]
  readonly end: any
}

/** What the payer's account does when attempts come: pays, or has the bank reject them with a code. */
export type PayersAccount =
  | { readonly does: 'pay' }
  | { readonly does: 'reject'; readonly codigo: string; readonly times?: number }

export type MandateCharges = {
  readonly put: (txid: string, body: any) => any
  readonly cancel: (txid: string) => any
  readonly retry: (txid: string, day: string) => any
  readonly find: (txid: string) => MandateCharge | undefined
  readonly all: () => readonly MandateCharge[]
  readonly show: (charge: MandateCharge) => any
  /** What the payer's bank will do from now on with charges of a mandate. */
  readonly setAccount: (idRec: string, account: PayersAccount) => void
  /** Ends what is open when a mandate ends. */
  readonly endAll: (mandate: BankMandate) => void
}

/** Codes with which a rejected attempt ends its charge: no retry can follow. */
const finalCodes = ['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09']

/** Opens the charges of mandates; `onChange` hears of each new state of a charge or an attempt. */
export const openMandateCharges = (
  { clock, profile, receiver, newId }: BankContext,
  {
    mandates,
    payments,
    isTaken,
    onChange,
  }: {
    readonly mandates: () => BankMandates
    readonly payments: BankPayments
    readonly isTaken: (txid: string) => boolean
    readonly onChange: (charge: MandateCharge) => void
  },
): MandateCharges => {
  const charges = new Map<string, MandateCharge>()
  const accounts = new Map<string, PayersAccount>()
  const stamp = () => instant(clock.nowMs())
  const today = () => dayOf(clock.nowMs())

  const store = (charge: MandateCharge): MandateCharge => {
    charges.set(charge.txid, charge)
    onChange(charge)
    return charge
  }
  const withStatus = (charge: MandateCharge, status: ChargeStatus, end: any = null): MandateCharge =>
    charge.status === status
      ? charge
      : { ...charge, status, end, history: [...charge.history, { status, data: stamp() }] }
  const withAttempt = (
    charge: MandateCharge,
    endToEndId: string,
    status: AttemptStatus,
    codigo: string | null = null,
  ) => ({
    ...charge,
    attempts: charge.attempts.map((attempt) =>
      attempt.endToEndId === endToEndId
        ? { ...attempt, status, codigo, history: [...attempt.history, { status, data: stamp() }] }
        : attempt,
    ),
  })

  const no = (detail: string, propriedade: string): BankRefusal =>
    refuse(400, 'CobROperacaoInvalida', detail, [{ razao: detail, propriedade }])

  const addAttempt = (
    charge: MandateCharge,
    day: string,
    tipo: Attempt['tipo'],
    hour: number,
  ): MandateCharge => {
    const mandate = mandates().find(charge.idRec)!
    const endToEndId = newId.endToEnd('E', mandate.payer!.ispb)
    const attempt: Attempt = {
      endToEndId,
      day,
      tipo,
      status: 'SOLICITADA',
      history: [{ status: 'SOLICITADA', data: stamp() }],
      codigo: null,
    }
    clock.at(clock.nowMs() + 1000, () => {
      const found = charges.get(charge.txid)!
      const open = found.attempts.find((of) => of.endToEndId === endToEndId)
      if (open?.status === 'SOLICITADA') schedule(found, endToEndId)
    })
    clock.at(momentOf(day, hour), () => settle(charge.txid, endToEndId))
    return { ...charge, attempts: [...charge.attempts, attempt] }
  }

  /** The payer's bank takes the attempt, or rejects the charge where it asks for more than the payer allows. */
  const schedule = (charge: MandateCharge, endToEndId: string): void => {
    const { maximumCents } = mandates().find(charge.idRec)!
    if (maximumCents !== null && toCents(charge.body.valor.original) > maximumCents) {
      const rejected = withAttempt(charge, endToEndId, 'REJEITADA', 'AM02')
      store(withStatus(rejected, 'REJEITADA', rejection('AM02')))
      return
    }
    store(withStatus(withAttempt(charge, endToEndId, 'AGENDADA'), 'ATIVA'))
  }

  const settle = (txid: string, endToEndId: string): void => {
    const charge = charges.get(txid)!
    const attempt = charge.attempts.find((of) => of.endToEndId === endToEndId)!
    if (charge.status !== 'ATIVA' || attempt.status !== 'AGENDADA') return
    const account = accounts.get(charge.idRec) ?? { does: 'pay' as const }
    if (account.does === 'pay') {
      const { payer } = mandates().find(charge.idRec)!
      const cents = toCents(charge.body.valor.original)
      store(withStatus(withAttempt(charge, endToEndId, 'PAGA'), 'CONCLUIDA'))
      payments.receiveOfMandate({ txid, endToEndId, cents, payer: payer! })
      return
    }
    if (account.times !== undefined)
      accounts.set(
        charge.idRec,
        account.times > 1 ? { ...account, times: account.times - 1 } : { does: 'pay' },
      )
    fail(withAttempt(charge, endToEndId, 'REJEITADA', account.codigo), attempt, account.codigo)
  }

  /** After the first attempt of a day the payer's bank tries again between 18 and 21 h by itself. */
  const fail = (charge: MandateCharge, { day, tipo }: Attempt, codigo: string): void => {
    if (finalCodes.includes(codigo)) {
      store(withStatus(charge, 'REJEITADA', rejection(codigo)))
      return
    }
    if (tipo !== 'RIFL') {
      store(addAttempt(charge, day, 'RIFL', 19))
      return
    }
    const mandate = mandates().find(charge.idRec)!
    const mayRetry =
      mandate.body.politicaRetentativa === 'PERMITE_3R_7D' && lastRetryDay(charge, mandate) > day
    if (!mayRetry) {
      store(withStatus(charge, 'EXPIRADA'))
      return
    }
    store(charge)
    clock.at(momentOf(addDays(lastRetryDay(charge, mandate), 1)), () => {
      const found = charges.get(charge.txid)!
      if (found.status === 'ATIVA' && runningOf(found) === undefined) store(withStatus(found, 'EXPIRADA'))
    })
  }

  const firstDay = ({ body }: MandateCharge): string =>
    body.ajusteDiaUtil ? businessDayFrom(body.calendario.dataDeVencimento) : body.calendario.dataDeVencimento

  /** Retries: on at most three other days, within seven, before the next cycle. */
  const lastRetryDay = (charge: MandateCharge, { body }: BankMandate): string => {
    const due = charge.body.calendario.dataDeVencimento
    const nextCycle = startOfCycle(body.calendario, cycleOf(body.calendario, due) + 1)
    const seven = addDays(due, 7)
    const before = addDays(nextCycle, -1)
    return seven < before ? seven : before
  }

  const runningOf = ({ attempts }: MandateCharge) =>
    attempts.find(({ status }) => status === 'SOLICITADA' || status === 'AGENDADA')

  const shown = ({ txid, idRec, createdMs, body, status }: MandateCharge): any => ({
    idRec,
    txid,
    ...body,
    calendario: { criacao: dayOf(createdMs), ...body.calendario },
    recebedor: { ...body.recebedor, cnpj: receiver.cnpj, nome: receiver.nome },
    status,
  })

  const showWhole = (charge: MandateCharge): any => {
    const pix = payments.of(charge.txid).map(payments.show)
    return {
      ...shown(charge),
      politicaRetentativa: mandates().find(charge.idRec)!.body.politicaRetentativa,
      atualizacao: charge.history,
      tentativas: charge.attempts.map(({ day, tipo, status, endToEndId, history, codigo }) => ({
        dataLiquidacao: day,
        tipo,
        status,
        endToEndId,
        atualizacao: history,
        ...(codigo === null ? {} : { rejeicao: rejection(codigo).rejeicao }),
      })),
      ...(charge.end === null ? {} : { encerramento: charge.end }),
      ...(pix.length === 0 ? {} : { pix }),
    }
  }

  const put = (txid: string, body: any): any => {
    const existing = charges.get(txid)
    if (
      existing !== undefined &&
      JSON.stringify(existing.body) === JSON.stringify(body) &&
      profile.repeatedPut === 'REVISION'
    )
      return shown(existing)
    if (existing !== undefined || isTaken(txid)) return no('O txid encontra-se em uso.', 'cobr.txid')
    const mandate = mandates().find(body.idRec)
    if (mandate === undefined) return no('A recorrência não existe.', 'cobr.idRec')
    if (mandate.status !== 'APROVADA') return no(`A recorrência está ${mandate.status}.`, 'cobr.idRec')
    const due = body.calendario.dataDeVencimento
    const ahead = daysBetween(today(), due)
    if (ahead < 2 || ahead > 10)
      return no('O vencimento está a menos de 2 ou a mais de 10 dias.', 'cobr.calendario.dataDeVencimento')
    if (
      body.recebedor.conta !== receiver.conta ||
      (body.recebedor.agencia ?? receiver.agencia) !== receiver.agencia
    )
      return no('A conta não pertence a este usuário recebedor.', 'cobr.recebedor')
    const { valor, calendario } = mandate.body
    const cents = toCents(body.valor.original)
    if (valor?.valorRec !== undefined && toCents(valor.valorRec) !== cents)
      return no('O valor difere do valor da recorrência.', 'cobr.valor.original')
    if (cents === 0) return no('O valor é zero.', 'cobr.valor.original')
    const cycle = cycleOf(calendario, due)
    const blocking = [...charges.values()].some(
      (other) =>
        other.idRec === body.idRec &&
        other.status !== 'REJEITADA' &&
        other.status !== 'CANCELADA' &&
        cycleOf(calendario, other.body.calendario.dataDeVencimento) === cycle,
    )
    if (blocking) return no('Existe uma CobR no mesmo ciclo.', 'cobr.calendario.dataDeVencimento')
    const charge: MandateCharge = {
      txid,
      idRec: body.idRec,
      createdMs: clock.nowMs(),
      body,
      status: 'CRIADA',
      history: [{ status: 'CRIADA', data: stamp() }],
      attempts: [],
      end: null,
    }
    return shown(store(addAttempt(charge, firstDay(charge), 'AGND', 6)))
  }

  return {
    put,
    cancel: (txid) => {
      const charge = charges.get(txid)
      if (charge === undefined)
        return refuse(404, 'CobRNaoEncontrado', 'Cobrança não encontrada para o txid informado.')
      if (charge.status !== 'CRIADA' && charge.status !== 'ATIVA')
        return no(`A cobrança está ${charge.status}.`, 'cobr.status')
      if (today() >= firstDay(charge))
        return no('A data da primeira tentativa de liquidação chegou.', 'cobr.status')
      return shown(store(cancelledBy(charge, 'USUARIO_RECEBEDOR', 'SLCR')))
    },
    retry: (txid, day) => {
      const charge = charges.get(txid)
      if (charge === undefined)
        return refuse(404, 'CobRNaoEncontrado', 'Cobrança não encontrada para o txid informado.')
      const mandate = mandates().find(charge.idRec)!
      if (mandate.body.politicaRetentativa !== 'PERMITE_3R_7D')
        return no('A política da recorrência não permite retentativa.', 'cobr.politicaRetentativa')
      if (charge.status !== 'ATIVA') return no(`A cobrança está ${charge.status}.`, 'cobr.status')
      if (runningOf(charge) !== undefined) return no('Existe uma tentativa em andamento.', 'cobr.tentativas')
      if (day <= today()) return no('A data não é futura.', 'data')
      if (day > lastRetryDay(charge, mandate))
        return no('A data passa do limite de 7 dias ou do ciclo.', 'data')
      const days = new Set(
        charge.attempts.filter(({ tipo }) => tipo === 'NTAG').map((attempt) => attempt.day),
      )
      if (days.has(day)) return no('Existe uma tentativa para a data informada.', 'data')
      if (days.size >= 3) return no('Três retentativas foram feitas.', 'cobr.tentativas')
      return showWhole(store(addAttempt(charge, day, 'NTAG', 6)))
    },
    find: (txid) => charges.get(txid),
    all: () => [...charges.values()],
    show: showWhole,
    setAccount: (idRec, account) => {
      accounts.set(idRec, account)
    },
    endAll: ({ idRec }) => {
      for (const charge of charges.values())
        if (charge.idRec === idRec && (charge.status === 'CRIADA' || charge.status === 'ATIVA'))
          store(cancelledBy(charge, 'USUARIO_PAGADOR', 'SLBD'))
    },
  }

  function cancelledBy(charge: MandateCharge, solicitante: string, codigo: string): MandateCharge {
    const running = runningOf(charge)
    const ended = running === undefined ? charge : withAttempt(charge, running.endToEndId, 'CANCELADA')
    return withStatus(ended, 'CANCELADA', {
      cancelamento: { solicitante, codigo, descricao: 'Cancelada a pedido.' },
    })
  }
}

const rejection = (codigo: string) => ({ rejeicao: { codigo, descricao: 'Rejeitada pelo PSP do pagador.' } })
