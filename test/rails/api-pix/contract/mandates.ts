import Type, { type TProperties } from 'typebox'
import { pixOfMandate } from './charges.ts'
import {
  address,
  closed,
  cnpj,
  cpf,
  date,
  dateTime,
  endToEndId,
  ispb,
  listOf,
  location,
  oneOf,
  party,
  recurrenceId,
  txid,
  upTo,
  valor,
  whole,
} from './fields.ts'

/** Pix Automático: mandates (`/rec`), requests to confirm them (`/solicrec`), their locations and charges (`/cobr`). */
const statusOfMandate = oneOf('CRIADA', 'APROVADA', 'REJEITADA', 'EXPIRADA', 'CANCELADA')
const politicaRetentativa = oneOf('NAO_PERMITE', 'PERMITE_3R_7D')
const jornada = closed({ txid })
const company = closed({ cnpj, nome: upTo(140) }, { convenio: upTo(60) })

const agreed = {
  required: {
    vinculo: closed({ devedor: party(140), contrato: upTo(35) }, { objeto: upTo(35) }),
    calendario: closed(
      { dataInicial: date, periodicidade: oneOf('SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL') },
      { dataFinal: date },
    ),
  },
  /** A fixed amount, a smallest one, or neither. */
  optional: {
    valor: Type.Union([closed({ valorRec: valor }), closed({ valorMinimoRecebedor: valor }), closed({})]),
  },
}

/** `POST /rec`. */
export const recRequest = closed(
  { ...agreed.required, politicaRetentativa },
  {
    ...agreed.optional,
    recebedor: closed({}, { convenio: upTo(60) }),
    loc: whole(),
    ativacao: closed({}, { dadosJornada: jornada }),
  },
)

/** `PATCH /rec/{idRec}`. */
export const recRevision = closed(
  {},
  {
    status: oneOf('CANCELADA'),
    vinculo: closed({}, { devedor: closed({ nome: upTo(140) }) }),
    loc: whole(),
    calendario: closed({}, { dataInicial: date }),
    ativacao: closed({}, { dadosJornada: jornada }),
  },
)

const requester = oneOf('PSP_PAGADOR', 'USUARIO_PAGADOR', 'PSP_RECEBEDOR', 'USUARIO_RECEBEDOR')
const cancellationOf = (...codes: readonly string[]) =>
  closed({ cancelamento: closed({ solicitante: requester, codigo: oneOf(...codes), descricao: upTo(400) }) })
const rejectionOf = (...codes: readonly string[]) =>
  closed({ rejeicao: closed({ codigo: oneOf(...codes), descricao: upTo(400) }, { motivo: upTo(400) }) })
/** AP15 and `motivo` since 2.10.0. */
const endOfMandate = Type.Union([
  rejectionOf('AP13', 'AP14', 'AP15'),
  cancellationOf('ACCL', 'CPCL', 'DCSD', 'ERSL', 'FRUD', 'PCFD', 'SLCR', 'SLDB'),
])
const historyOf = (status: ReturnType<typeof oneOf>) => Type.Array(closed({ status, data: dateTime }))

export const locRec = closed({ id: whole(), location, criacao: dateTime }, { idRec: recurrenceId })
export const locRecList = listOf('loc', locRec, {
  idRecPresente: Type.Boolean(),
  recebedor: closed({}, { convenio: upTo(60) }),
})

const ativacao = closed(
  { tipoJornada: oneOf('JORNADA_1', 'JORNADA_2', 'JORNADA_3', 'JORNADA_4', 'AGUARDANDO_DEFINICAO') },
  { dadosJornada: jornada },
)

const mandateShown = {
  required: {
    idRec: recurrenceId,
    ...agreed.required,
    recebedor: company,
    status: statusOfMandate,
    atualizacao: historyOf(statusOfMandate),
  },
  optional: { ...agreed.optional, loc: locRec, encerramento: endOfMandate, ativacao, politicaRetentativa },
}

/** A mandate as `POST` and `PATCH` answer it: without its payer. */
export const recGenerated = closed(mandateShown.required, mandateShown.optional)

const payer = Type.Union([
  closed({ cpf, ispbParticipante: ispb }, { codMun: Type.String({ pattern: '^\\d{7}$' }) }),
  closed({ cnpj, ispbParticipante: ispb }, { codMun: Type.String({ pattern: '^\\d{7}$' }) }),
])

const statusOfRequest = oneOf('CRIADA', 'ENVIADA', 'RECEBIDA', 'REJEITADA', 'ACEITA', 'EXPIRADA', 'CANCELADA')
const account = [{ conta: upTo(20), ispbParticipante: ispb }, { agencia: upTo(4) }] as const
const askedOf = {
  idRec: recurrenceId,
  calendario: closed({ dataExpiracaoSolicitacao: dateTime }),
  destinatario: Type.Union([
    closed({ ...account[0], cpf }, account[1]),
    closed({ ...account[0], cnpj }, account[1]),
  ]),
}

/** `POST /solicrec`. */
export const solicRecRequest = closed(askedOf)
/** `PATCH /solicrec/{idSolicRec}`. */
export const solicRecRevision = closed({ status: oneOf('CANCELADA') })

export const solicRec = closed(
  {
    idSolicRec: recurrenceId,
    ...askedOf,
    status: statusOfRequest,
    atualizacao: historyOf(statusOfRequest),
  },
  {
    recPayload: closed(
      {
        idRec: recurrenceId,
        ...agreed.required,
        recebedor: closed({ cnpj, nome: upTo(140), ispbParticipante: ispb }),
        politicaRetentativa,
        atualizacao: historyOf(statusOfMandate),
      },
      agreed.optional,
    ),
  },
)

const completeMandate = {
  ...mandateShown.optional,
  pagador: payer,
  solicitacao: Type.Array(solicRec),
  dadosQR: closed({}, { jornada: oneOf('JORNADA_2', 'JORNADA_3', 'JORNADA_4'), pixCopiaECola: upTo(512) }),
}

/** `GET /rec/{idRec}` and each of `GET /rec`. */
export const recComplete = closed({ ...mandateShown.required, politicaRetentativa }, completeMandate)
export const recList = listOf('recs', recComplete, {
  cpf,
  cnpj,
  locationPresente: Type.Boolean(),
  status: Type.String(),
  recebedor: closed({}, { convenio: upTo(60) }),
})

const accountOfReceiver = [
  { conta: upTo(20), tipoConta: oneOf('CORRENTE', 'POUPANCA', 'PAGAMENTO') },
  { agencia: upTo(4) },
] as const
const debtor = closed({}, { email: Type.String(), ...address })

/** `PUT /cobr/{txid}`. */
export const cobrRequest = closed(
  {
    idRec: recurrenceId,
    calendario: closed({ dataDeVencimento: date }),
    valor: closed({ original: valor }),
    ajusteDiaUtil: Type.Boolean(),
    recebedor: closed(...accountOfReceiver),
  },
  { infoAdicional: upTo(140), devedor: debtor },
)

/** `PATCH /cobr/{txid}`. */
export const cobrRevision = closed({ status: oneOf('CANCELADA') })

const statusOfMandateCharge = oneOf('CRIADA', 'ATIVA', 'CONCLUIDA', 'EXPIRADA', 'REJEITADA', 'CANCELADA')
const statusOfAttempt = oneOf('SOLICITADA', 'AGENDADA', 'PAGA', 'CANCELADA', 'REJEITADA', 'EXPIRADA')

/** The codes with which the payer's bank rejects a charge or an attempt. */
export const rejectionCodes = [
  ...['AB10', 'AC05', 'AC06', 'AM02', 'AM09', 'DENC', 'DS27', 'DTED', 'DTNT', 'FBRD'],
  ...['IRNT', 'MIDI', 'MSUC', 'NIEC', 'NIPA', 'NITX', 'QUNT', 'RC09', 'UDEI'],
]
const rejectionOfCharge = rejectionOf(...rejectionCodes)

const tentativa = closed(
  {
    dataLiquidacao: date,
    tipo: oneOf('AGND', 'NTAG', 'RIFL'),
    status: statusOfAttempt,
    endToEndId,
    atualizacao: historyOf(statusOfAttempt),
  },
  { rejeicao: closed({ codigo: oneOf(...rejectionCodes), descricao: upTo(400) }) },
)

const chargeShown = {
  required: {
    idRec: recurrenceId,
    txid,
    calendario: closed({ criacao: date, dataDeVencimento: date }),
    valor: closed({ original: valor }),
    ajusteDiaUtil: Type.Boolean(),
    recebedor: closed({ ...accountOfReceiver[0], cnpj, nome: upTo(140) }, accountOfReceiver[1]),
    status: statusOfMandateCharge,
  },
  optional: { infoAdicional: upTo(140), devedor: debtor },
}

/** A charge of a mandate as `PUT` and `PATCH` answer it. */
export const cobrGenerated = closed(chargeShown.required, chargeShown.optional)

const historyOfCharge: TProperties = {
  encerramento: Type.Union([
    cancellationOf('ACCT', 'BLCK', 'CCLD', 'FAIL', 'OTHR', 'SLBD', 'SLCR'),
    rejectionOfCharge,
  ]),
  tentativas: Type.Array(tentativa),
  pix: Type.Array(pixOfMandate),
}
const completeCharge = closed(
  { ...chargeShown.required, politicaRetentativa, atualizacao: historyOf(statusOfMandateCharge) },
  { ...chargeShown.optional, ...historyOfCharge },
)

/** `GET /cobr/{txid}`, each of `GET /cobr`, and the answer to a retry. */
export const cobrComplete = completeCharge
export const cobrList = listOf('cobsr', completeCharge, {
  idRec: recurrenceId,
  cpf,
  cnpj,
  status: Type.String(),
  recebedor: closed({}, { convenio: upTo(60) }),
})

/** What `/webhookrec` and `/webhookcobr` are sent. */
export const recNotice = closed({
  recs: Type.Array(
    closed(
      { idRec: recurrenceId, status: statusOfMandate, atualizacao: historyOf(statusOfMandate) },
      { encerramento: endOfMandate, ativacao },
    ),
  ),
})
export const cobrNotice = closed({
  cobsr: Type.Array(
    closed(
      {
        idRec: recurrenceId,
        txid,
        status: statusOfMandateCharge,
        atualizacao: historyOf(statusOfMandateCharge),
      },
      historyOfCharge,
    ),
  ),
})
