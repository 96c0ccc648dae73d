import type { ServerResponse } from 'node:http'
import type { RailClock } from '../clock.ts'
import type { FaultAction } from './faults.ts'
import { refuse } from './problems.ts'
import { type RenderedAnswer, render, sendRendered } from './render.ts'

/** Lets a fault happen before the request is carried out; says whether the fault has answered, or taken care that nothing will. */
export const happenBefore = async (
  fault: FaultAction,
  response: ServerResponse,
  { clock, errors }: FaultContext,
): Promise<boolean> => {
  switch (fault.kind) {
    case 'redirect':
      response.writeHead(fault.status ?? 302, { location: fault.location }).end()
      return true
    case 'delay':
      if (fault.when !== 'after') await reached(clock, fault.ms)
      return false
    case 'change':
      return false
    default:
      if ((fault.when ?? 'before') !== 'before') return false
      happen(fault, response, errors)
      return true
  }
}

/** Lets a fault happen when the request was carried out; says the same. */
export const happenAfter = async (
  fault: FaultAction,
  response: ServerResponse,
  shown: RenderedAnswer,
  { clock, errors }: FaultContext,
): Promise<boolean> => {
  switch (fault.kind) {
    case 'delay':
      if (fault.when === 'after') await reached(clock, fault.ms)
      return false
    case 'redirect':
    case 'change':
      return false
    default:
      if (fault.kind === 'cut' && fault.when === 'within') cutWithin(response, shown)
      else if (fault.when === 'after') happen(fault, response, errors)
      else return false
      return true
  }
}

export type FaultContext = { readonly clock: RailClock; readonly errors: 'PROBLEM' | 'EFI' }

type Ending = Exclude<FaultAction, { readonly kind: 'change' | 'delay' | 'redirect' }>

const happen = (fault: Ending, response: ServerResponse, errors: FaultContext['errors']): void => {
  switch (fault.kind) {
    case 'cut':
      response.destroy()
      return
    case 'silence':
      return
    case 'text':
      response.writeHead(fault.status, { 'content-type': fault.media ?? 'text/html' }).end(fault.body)
      return
    case 'error': {
      const name = fault.name ?? namesByStatus[fault.status] ?? 'ErroInternoDoServidor'
      if (fault.retryAfterSeconds !== undefined) response.setHeader('retry-after', fault.retryAfterSeconds)
      sendRendered(response, render(refuse(fault.status, name, 'Falha simulada.', fault.violacoes), errors))
    }
  }
}

const cutWithin = (response: ServerResponse, { status, media, answer }: RenderedAnswer): void => {
  const whole = Buffer.from(JSON.stringify(answer ?? null))
  response.writeHead(status, {
    'content-type': media ?? 'application/json',
    'content-length': whole.length,
  })
  response.write(whole.subarray(0, Math.ceil(whole.length / 2)), () => response.destroy())
}

const reached = (clock: RailClock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.at(clock.nowMs() + ms, resolve)
  })

const namesByStatus: Readonly<Record<number, string>> = {
  400: 'RequisicaoInvalida',
  401: 'NaoAutorizado',
  403: 'AcessoNegado',
  404: 'NaoEncontrado',
  410: 'PermanentementeRemovido',
  429: 'LimiteExcedido',
  500: 'ErroInternoDoServidor',
  503: 'ServicoIndisponivel',
  504: 'IndisponibilidadePorTempoEsgotado',
}
