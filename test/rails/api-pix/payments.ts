import { dayOf, daysBetween, instant } from '../days.ts'
import { toCents, toValor } from '../money.ts'
import { amountOn, componentsOf } from './amounts.ts'
import type { BankBook } from './book.ts'
import { readBrCode } from './br-code.ts'
import type { BankCharge, BankCharges } from './charges.ts'
import type { BankContext } from './context.ts'
import { type BankRefusal, refuse } from './problems.ts'

/** A PIX that came in. */
export type BankPix = {
  readonly endToEndId: string
  readonly atMs: number
  readonly cents: number
  readonly chave: string
  readonly txid: string | null
  readonly components: Readonly<Record<string, { readonly valor: string }>>
  readonly payer: Payer
  readonly infoPagador: string | null
  /** Set for a payment of a mandate's charge, whose returns have fewer natures. */
  readonly isOfMandate: boolean
}

export type Payer = {
  readonly nome: string
  readonly cpf?: string
  readonly cnpj?: string
  readonly ispb: string
}

export type Return = {
  readonly endToEndId: string
  readonly id: string
  readonly rtrId: string
  readonly cents: number
  readonly natureza: string
  readonly descricao: string | null
  readonly askedMs: number
  readonly settledMs: number | null
  readonly status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'
  readonly motivo: string | null
}

/** What a payer does: scans a code, or types a key or a txid. */
export type Payment = {
  readonly code?: string
  readonly txid?: string
  readonly chave?: string
  /** Null means what is asked for. */
  readonly valor?: string
  readonly payer?: Payer
  readonly infoPagador?: string
  /** Pays although the charge is paid, removed or expired: such a payment was on its way when it ended. */
  readonly force?: boolean
}

/** How the bank deals with returns until a test says otherwise. */
export type ReturnSettings = {
  /** Milliseconds until a return is through; null means until `settle` says so. */
  readonly settleAfterMs: number | null
  /** The reason with which all are refused; null means none is. */
  readonly refusal: string | null
}

export type BankPayments = {
  /** Throws where a payer's app would not pay. */
  readonly pay: (payment: Payment) => BankPix
  /** Books a PIX of a mandate's charge. */
  readonly receiveOfMandate: (of: {
    readonly txid: string
    readonly endToEndId: string
    readonly cents: number
    readonly payer: Payer
  }) => BankPix
  readonly find: (endToEndId: string) => BankPix | undefined
  readonly of: (txid: string) => readonly BankPix[]
  readonly all: () => readonly BankPix[]
  readonly list: (query: Readonly<Record<string, string>>) => any
  readonly show: (pix: BankPix) => any
  readonly askReturn: (endToEndId: string, id: string, body: any) => Return | BankRefusal
  /** A return that the receiver made in the bank's app, or that the bank made itself. */
  readonly makeReturn: (of: {
    readonly endToEndId: string
    readonly cents: number
    readonly natureza: string
  }) => Return
  readonly settle: (
    endToEndId: string,
    id: string,
    how: { readonly status: Return['status']; readonly motivo?: string },
  ) => void
  readonly findReturn: (endToEndId: string, id: string) => Return | undefined
  readonly returnsOf: (endToEndId: string) => readonly Return[]
  readonly showReturn: (of: Return) => any
  readonly setReturns: (settings: Partial<ReturnSettings>) => void
}

/** Opens what came in and what went back; `onChange` hears of both. */
export const openPayments = (
  context: BankContext,
  {
    book,
    charges,
    onChange,
  }: { readonly book: BankBook; readonly charges: BankCharges; readonly onChange: (pix: BankPix) => void },
): BankPayments => {
  const { clock, profile, receiver, newId } = context
  const received = new Map<string, BankPix>()
  const receivedByTxid = new Map<string, BankPix[]>()
  /** By end-to-end id, then by the return's own. */
  const returns = new Map<string, Map<string, Return>>()
  let settings: ReturnSettings = { settleAfterMs: 1000, refusal: null }

  const receive = (of: Omit<BankPix, 'atMs'>): BankPix => {
    const pix = { atMs: clock.nowMs(), ...of }
    received.set(pix.endToEndId, pix)
    if (pix.txid !== null) receivedByTxid.set(pix.txid, [...(receivedByTxid.get(pix.txid) ?? []), pix])
    book.record({
      atMs: pix.atMs,
      kind: 'RECEIVED',
      cents: pix.cents,
      endToEndId: pix.endToEndId,
      txid: pix.txid,
      returnId: null,
      rtrId: null,
    })
    onChange(pix)
    return pix
  }

  const payCharge = (
    charge: BankCharge,
    { valor, payer = somePayer, infoPagador, force }: Payment,
  ): BankPix => {
    if (!charges.isPayable(charge) && force !== true)
      throw new Error(`charge ${charge.txid} cannot be paid (${charge.status})`)
    const asked = charge.revisions.at(-1)
    const due =
      charge.kind === 'cobv'
        ? amountOn(asked.valor, asked.calendario.dataDeVencimento, dayOf(clock.nowMs()))
        : null
    const cents = valor === undefined ? (due?.total ?? toCents(asked.valor.original)) : toCents(valor)
    if (charge.status === 'ATIVA') charges.setStatus(charge.txid, 'CONCLUIDA')
    return receive({
      endToEndId: newId.endToEnd('E', payer.ispb),
      cents,
      chave: asked.chave,
      txid: charge.txid,
      components:
        due !== null && cents === due.total ? componentsOf(due) : { original: { valor: toValor(cents) } },
      payer,
      infoPagador: infoPagador ?? null,
      isOfMandate: false,
    })
  }

  const pay = (payment: Payment): BankPix => {
    const { code, txid, payer = somePayer, infoPagador } = payment
    const read = code === undefined ? null : readBrCode(code)
    const location = read?.location
    const charge =
      location !== undefined
        ? charges.findByLocation(location)
        : txid !== undefined
          ? charges.find(txid)
          : undefined
    if (location !== undefined || txid !== undefined) {
      if (charge === undefined) throw new Error(`nothing is to be paid at ${location ?? txid}`)
      return payCharge(charge, payment)
    }
    const chave = read?.chave ?? payment.chave
    const valor = read?.valor ?? payment.valor
    if (chave === undefined || !receiver.chaves.includes(chave))
      throw new Error(`key ${chave} is not of this bank`)
    if (valor === undefined) throw new Error('a payment to a key says how much')
    return receive({
      endToEndId: newId.endToEnd('E', payer.ispb),
      cents: toCents(valor),
      chave,
      txid: read?.txid ?? null,
      components: { original: { valor } },
      payer,
      infoPagador: infoPagador ?? null,
      isOfMandate: false,
    })
  }

  const returnsOf = (endToEndId: string): readonly Return[] => [...(returns.get(endToEndId)?.values() ?? [])]
  const findReturn = (endToEndId: string, id: string) => returns.get(endToEndId)?.get(id)
  const storeReturn = (of: Return): void => {
    const ofPix = returns.get(of.endToEndId) ?? new Map<string, Return>()
    returns.set(of.endToEndId, ofPix.set(of.id, of))
  }
  const returnedCents = (endToEndId: string) =>
    returnsOf(endToEndId)
      .filter(({ status }) => status !== 'NAO_REALIZADO')
      .reduce((sum, { cents }) => sum + cents, 0)

  const settle: BankPayments['settle'] = (endToEndId, id, { status, motivo }) => {
    const found = findReturn(endToEndId, id)
    if (found === undefined) throw new Error(`no return ${id} of ${endToEndId}`)
    if (found.status !== 'EM_PROCESSAMENTO') throw new Error(`return ${id} is ${found.status} already`)
    const isDone = status === 'DEVOLVIDO'
    const nowMs = clock.nowMs()
    storeReturn({
      ...found,
      status,
      motivo: motivo ?? null,
      settledMs: isDone ? nowMs : null,
    })
    if (isDone)
      book.record({
        atMs: nowMs,
        kind: found.natureza.startsWith('MED') ? 'MED_RETURNED' : 'RETURNED',
        cents: -found.cents,
        endToEndId,
        txid: received.get(endToEndId)!.txid,
        returnId: id,
        rtrId: found.rtrId,
      })
    if (status !== 'EM_PROCESSAMENTO') onChange(received.get(endToEndId)!)
  }

  const openReturn = (of: Pick<Return, 'endToEndId' | 'id' | 'cents' | 'natureza' | 'descricao'>): Return => {
    const made: Return = {
      ...of,
      rtrId: newId.endToEnd('D', profile.ispb),
      askedMs: clock.nowMs(),
      settledMs: null,
      status: 'EM_PROCESSAMENTO',
      motivo: null,
    }
    storeReturn(made)
    return made
  }

  const askReturn: BankPayments['askReturn'] = (endToEndId, id, body) => {
    const pix = received.get(endToEndId)
    if (pix === undefined)
      return refuse(404, 'PixNaoEncontrado', 'Pix não encontrado para o e2eid informado.')
    const no = (detail: string) =>
      refuse(400, 'PixDevolucaoInvalida', detail, [{ propriedade: 'devolucao', razao: detail }])
    const cents = toCents(body.valor)
    if (findReturn(endToEndId, id) !== undefined)
      return profile.errors === 'EFI'
        ? refuse(409, 'devolucao_id_duplicado', 'O id informado já foi utilizado em outra devolução')
        : no('O id da devolução já foi utilizado para este Pix.')
    if (cents === 0) return no('O valor da devolução é zero.')
    if (returnedCents(endToEndId) + cents > pix.cents) return no('As devoluções excedem o valor do Pix.')
    if (daysBetween(dayOf(pix.atMs), dayOf(clock.nowMs())) > 90)
      return no('O prazo de 90 dias para devolver passou.')
    const made = openReturn({
      endToEndId,
      id,
      cents,
      natureza: body.natureza ?? 'ORIGINAL',
      descricao: body.descricao ?? null,
    })
    const { settleAfterMs, refusal } = settings
    if (settleAfterMs !== null)
      clock.at(clock.nowMs() + settleAfterMs, () => {
        // A person may have settled it before.
        if (findReturn(endToEndId, id)!.status !== 'EM_PROCESSAMENTO') return
        const motivo =
          refusal ?? (book.availableCents() < cents ? 'Saldo insuficiente para realizar a devolução.' : null)
        settle(
          endToEndId,
          id,
          motivo === null ? { status: 'DEVOLVIDO' } : { status: 'NAO_REALIZADO', motivo },
        )
      })
    return made
  }

  const showReturn = (of: Return): any => ({
    id: of.id,
    rtrId: of.rtrId,
    valor: toValor(of.cents),
    natureza: of.natureza,
    ...(of.descricao === null ? {} : { descricao: of.descricao }),
    horario: {
      solicitacao: instant(of.askedMs),
      ...(of.settledMs === null ? {} : { liquidacao: instant(of.settledMs) }),
    },
    status: of.status,
    ...(of.motivo === null ? {} : { motivo: of.motivo }),
  })

  const show = (pix: BankPix): any => {
    const devolucoes = returnsOf(pix.endToEndId).map(showReturn)
    return {
      endToEndId: pix.endToEndId,
      ...(pix.txid === null ? {} : { txid: pix.txid }),
      valor: toValor(pix.cents),
      ...(profile.showsComponents ? { componentesValor: pix.components } : {}),
      chave: pix.chave,
      horario: instant(pix.atMs),
      ...(pix.infoPagador === null ? {} : { infoPagador: pix.infoPagador }),
      ...(devolucoes.length === 0 ? {} : { devolucoes }),
      ...tariffShown(pix.endToEndId),
    }
  }

  /** Efí alone says what it took for a payment. */
  const tariffShown = (endToEndId: string) => {
    const tariff = book.movements().find((one) => one.kind === 'TARIFF' && one.endToEndId === endToEndId)
    return profile.sends === 'EFI' && tariff !== undefined
      ? { gnExtras: { tarifa: toValor(-tariff.cents) } }
      : {}
  }

  return {
    pay,
    receiveOfMandate: ({ txid, endToEndId, cents, payer }) =>
      receive({
        endToEndId,
        cents,
        chave: receiver.chaves[0]!,
        txid,
        components: { original: { valor: toValor(cents) } },
        payer,
        infoPagador: null,
        isOfMandate: true,
      }),
    find: (endToEndId) => received.get(endToEndId),
    of: (txid) => receivedByTxid.get(txid) ?? [],
    all: () => [...received.values()],
    list: (query) => {
      const from = Date.parse(query.inicio!)
      const until = Date.parse(query.fim!)
      const truth = (name: string, is: boolean) =>
        query[name] === undefined || (query[name] === 'true') === is
      const fitting = [...received.values()].filter(
        (pix) =>
          // Windows are of the PIX itself: a return of an older one is not found by the day on which it was made.
          pix.atMs >= from &&
          pix.atMs <= until &&
          (query.txid === undefined || pix.txid === query.txid) &&
          truth('txIdPresente', pix.txid !== null) &&
          truth('devolucaoPresente', returnsOf(pix.endToEndId).length > 0) &&
          truth(
            'finalidadeMED',
            returnsOf(pix.endToEndId).some(({ natureza }) => natureza.startsWith('MED')),
          ) &&
          (query.cpf === undefined || pix.payer.cpf === query.cpf) &&
          (query.cnpj === undefined || pix.payer.cnpj === query.cnpj),
      )
      return paged(query, fitting.map(show), 'pix')
    },
    show,
    askReturn,
    makeReturn: ({ endToEndId, cents, natureza }) => {
      const pix = received.get(endToEndId)
      if (pix === undefined) throw new Error(`no PIX ${endToEndId}`)
      if (returnedCents(endToEndId) + cents > pix.cents) throw new Error('more than what came in')
      const made = openReturn({ endToEndId, id: newId.token(20), cents, natureza, descricao: null })
      settle(endToEndId, made.id, { status: 'DEVOLVIDO' })
      return findReturn(endToEndId, made.id)!
    },
    settle,
    findReturn,
    returnsOf,
    showReturn,
    setReturns: (changes) => {
      settings = { ...settings, ...changes }
    },
  }
}

/** A payer of whom a test says nothing. */
export const somePayer: Payer = { nome: 'Maria da Silva', cpf: '52998224725', ispb: '60746948' }

/** One page of a list with what was asked, as all lists of API Pix show it. */
export const paged = (query: Readonly<Record<string, string>>, items: readonly any[], name: string): any => {
  const paginaAtual = Number(query['paginacao.paginaAtual'] ?? 0)
  const itensPorPagina = Number(query['paginacao.itensPorPagina'] ?? 100)
  const asked = Object.fromEntries(
    Object.entries(query)
      .filter(([key]) => !key.startsWith('paginacao.') && key !== 'convenio')
      .map(([key, value]) => [key, value === 'true' ? true : value === 'false' ? false : value]),
  )
  return {
    parametros: {
      ...asked,
      ...(query.convenio === undefined ? {} : { recebedor: { convenio: query.convenio } }),
      paginacao: {
        paginaAtual,
        itensPorPagina,
        quantidadeDePaginas: Math.max(Math.ceil(items.length / itensPorPagina), 1),
        quantidadeTotalDeItens: items.length,
      },
    },
    [name]: items.slice(paginaAtual * itensPorPagina, (paginaAtual + 1) * itensPorPagina),
  }
}
