import { dayOf, instant } from '../days.ts'
import { toCents } from '../money.ts'
import { lastPayableDay } from './amounts.ts'
import { writeBrCode } from './br-code.ts'
import type { BankContext } from './context.ts'
import { type BankRefusal, refuse, type Violation } from './problems.ts'

/** One charge of either kind, with every revision of what its receiver said. */
export type BankCharge = {
  readonly kind: ChargeKind
  readonly txid: string
  readonly createdMs: number
  readonly location: string
  readonly locationId: number
  /** What the receiver said, newest last. */
  readonly revisions: readonly any[]
  readonly status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'
}

export type ChargeKind = 'cob' | 'cobv'

/** Charges for immediate payment and with a due date. A txid is one charge's for ever. */
export type BankCharges = {
  readonly put: (kind: ChargeKind, txid: string, body: any) => BankCharge | BankRefusal
  readonly patch: (kind: ChargeKind, txid: string, body: any) => BankCharge | BankRefusal
  readonly find: (txid: string) => BankCharge | undefined
  readonly findByLocation: (location: string) => BankCharge | undefined
  readonly setStatus: (txid: string, status: BankCharge['status']) => void
  /** Whether a payer's app would let it be paid at this moment. */
  readonly isPayable: (charge: BankCharge) => boolean
  /** What `PUT` and `PATCH` answer; `GET` adds what was paid. */
  readonly show: (charge: BankCharge, revision?: number) => any
  readonly all: () => readonly BankCharge[]
}

/** Opens the charges; `isTaken` says whether a txid is used by what is no charge of these kinds. */
export const openCharges = (
  { clock, profile, receiver, newId }: BankContext,
  isTaken: (txid: string) => boolean,
): BankCharges => {
  const charges = new Map<string, BankCharge>()
  const txidByLocation = new Map<string, string>()
  const store = (charge: BankCharge): BankCharge => {
    charges.set(charge.txid, charge)
    txidByLocation.set(charge.location, charge.txid)
    return charge
  }
  const today = () => dayOf(clock.nowMs())

  const violationsOf = (kind: ChargeKind, body: any): readonly Violation[] => {
    const found: Violation[] = []
    const wrong = (propriedade: string, razao: string, valor?: string) =>
      found.push({ propriedade: `${kind}.${propriedade}`, razao, ...(valor === undefined ? {} : { valor }) })
    const { calendario = {}, valor = {}, chave, loc } = body
    if (calendario.expiracao !== undefined && calendario.expiracao <= 0)
      wrong('calendario.expiracao', 'expira em zero segundos ou antes', String(calendario.expiracao))
    if (calendario.dataDeVencimento !== undefined && calendario.dataDeVencimento < today())
      wrong('calendario.dataDeVencimento', 'vence antes da criação', calendario.dataDeVencimento)
    if (calendario.validadeAposVencimento < 0)
      wrong(
        'calendario.validadeAposVencimento',
        'é menor que zero',
        String(calendario.validadeAposVencimento),
      )
    if (valor.original !== undefined && toCents(valor.original) === 0)
      wrong('valor.original', 'é zero', valor.original)
    if (chave !== undefined && !receiver.chaves.includes(chave))
      wrong('chave', 'não pertence a este usuário recebedor', chave)
    if (loc !== undefined) wrong('loc.id', 'location inexiste', String(loc.id))
    if (kind === 'cobv' && valor.original !== undefined) found.push(...violationsOfDue(body))
    return found
  }

  const refusalOf = (kind: ChargeKind, detail: string, violacoes?: readonly Violation[]): BankRefusal =>
    refuse(400, kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida', detail, violacoes)

  const shown = (charge: BankCharge, revision = charge.revisions.length - 1): any => {
    const { calendario, ...body } = charge.revisions[revision]
    const criacao = instant(charge.createdMs)
    return {
      ...body,
      calendario: { criacao, ...withDefaults(charge.kind, calendario) },
      txid: charge.txid,
      revisao: revision,
      status: charge.status,
      location: charge.location,
      loc: {
        id: charge.locationId,
        location: charge.location,
        tipoCob: charge.kind,
        criacao,
        txid: charge.txid,
      },
      pixCopiaECola: writeBrCode({ location: charge.location, name: receiver.nome, city: receiver.cidade }),
      ...(charge.kind === 'cob' ? {} : { recebedor: receiverWithAddress(receiver) }),
    }
  }

  return {
    put: (kind, txid, body) => {
      const charge = charges.get(txid)
      if (charge === undefined && isTaken(txid))
        return refusalOf(kind, 'O txid está em uso por outra cobrança.')
      if (charge !== undefined && charge.kind !== kind)
        return refusalOf(kind, 'O txid está em uso por outra cobrança.')
      if (charge !== undefined && profile.repeatedPut === 'REFUSED')
        return refuse(409, 'txid_duplicado', 'Campo txid informado já foi utilizado em outra cobrança')
      if (charge !== undefined && charge.status !== 'ATIVA')
        return refusalOf(kind, `A cobrança existe e não está ATIVA, mas ${charge.status}.`)
      const violacoes = violationsOf(kind, body)
      if (violacoes.length > 0) return refusalOf(kind, 'A cobrança não respeita as regras.', violacoes)
      if (charge !== undefined) {
        const isSame = JSON.stringify(charge.revisions.at(-1)) === JSON.stringify(body)
        return isSame ? charge : store({ ...charge, revisions: [...charge.revisions, body] })
      }
      const path = kind === 'cob' ? 'qr/v2' : 'qr/v2/cobv'
      return store({
        kind,
        txid,
        createdMs: clock.nowMs(),
        location: `${profile.name}.example/${path}/${newId.token(32)}`,
        locationId: newId.number(),
        revisions: [body],
        status: 'ATIVA',
      })
    },
    patch: (kind, txid, body) => {
      const charge = charges.get(txid)
      if (charge === undefined || charge.kind !== kind)
        return refuse(
          404,
          kind === 'cob' ? 'CobNaoEncontrado' : 'CobVNaoEncontrada',
          'Cobrança não encontrada para o txid informado.',
        )
      if (charge.status !== 'ATIVA')
        return refusalOf(kind, `A cobrança não está ATIVA, mas ${charge.status}.`)
      if (body.status !== undefined && Object.keys(body).length > 1)
        return refusalOf(kind, 'A cobrança não pode ser removida e alterada na mesma requisição.')
      const violacoes = violationsOf(kind, body)
      if (violacoes.length > 0) return refusalOf(kind, 'A cobrança não respeita as regras.', violacoes)
      const { status, ...changes } = body
      if (status !== undefined) return store({ ...charge, status })
      const before = charge.revisions.at(-1)
      const after = {
        ...before,
        ...changes,
        calendario: { ...before.calendario, ...changes.calendario },
        valor: { ...before.valor, ...changes.valor },
      }
      return store({ ...charge, revisions: [...charge.revisions, after] })
    },
    find: (txid) => charges.get(txid),
    findByLocation: (location) => charges.get(txidByLocation.get(location) ?? ''),
    setStatus: (txid, status) => {
      store({ ...charges.get(txid)!, status })
    },
    isPayable: ({ kind, createdMs, revisions, status }) => {
      if (status !== 'ATIVA') return false
      const calendario = withDefaults(kind, revisions.at(-1).calendario)
      return kind === 'cob'
        ? clock.nowMs() < createdMs + calendario.expiracao * 1000
        : today() <= lastPayableDay(calendario)
    },
    show: shown,
    all: () => [...charges.values()],
  }
}

const withDefaults = (kind: ChargeKind, calendario: any): any =>
  kind === 'cob' ? { expiracao: 86_400, ...calendario } : { validadeAposVencimento: 30, ...calendario }

const receiverWithAddress = ({ nome, cnpj, cidade }: BankContext['receiver']) => ({
  cnpj,
  nome,
  logradouro: 'Rua das Figueiras, 100',
  cidade,
  uf: 'SP',
  cep: '01310100',
})

/** Rules about rebates and discounts, which must not eat the charge up. */
const violationsOfDue = ({ valor, calendario }: any): readonly Violation[] => {
  const found: Violation[] = []
  const wrong = (propriedade: string, razao: string) =>
    found.push({ propriedade: `cobv.valor.${propriedade}`, razao })
  const eatsUp = (modalidade: number, valorPerc: string, isAmount: boolean) =>
    toCents(valorPerc) >= (isAmount ? toCents(valor.original) : 10_000) && modalidade > 0
  const { abatimento, desconto } = valor
  if (
    abatimento !== undefined &&
    eatsUp(abatimento.modalidade, abatimento.valorPerc, abatimento.modalidade === 1)
  )
    wrong('abatimento', 'não é menor que o valor da cobrança')
  if (desconto === undefined) return found
  const hasDates = desconto.modalidade <= 2
  if (hasDates !== (desconto.descontoDataFixa !== undefined))
    wrong('desconto', hasDates ? 'pede datas' : 'não leva datas')
  for (const { data, valorPerc } of desconto.descontoDataFixa ?? []) {
    if (eatsUp(desconto.modalidade, valorPerc, desconto.modalidade === 1))
      wrong('desconto', 'não é menor que o valor da cobrança')
    if (calendario?.dataDeVencimento !== undefined && data > calendario.dataDeVencimento)
      wrong('desconto', 'tem data posterior ao vencimento')
  }
  return found
}
