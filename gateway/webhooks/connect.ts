import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecure, createSecureContext, rootCertificates } from 'node:tls'
import type { AttemptError } from '../../engine/webhooks/delivery.ts'
import { type Address, isAmong } from './address.ts'

/**
 * Opens a socket to one of the vetted addresses of a host, and to nothing else. All sockets share the memory of
 * received bytes: they are overwritten after the call.
 */
export type Connect = (to: ConnectTo, onBytes: (bytes: Buffer) => void, done: ConnectDone) => Socket

export type ConnectTo = {
  /** A name or an address without brackets, which the receiver's certificate must match. */
  readonly hostname: string
  readonly port: number
  readonly secure: boolean
  readonly addresses: readonly Address[]
}

/** Called once, unless the socket is destroyed first. The socket has passed its checks and has written nothing yet. */
export type ConnectDone = (failure: Error | null, socket: Socket | null) => void

export type ConnectorOptions = {
  /** PEM certificates that are trusted in addition to the usual ones. */
  readonly certificateAuthorities?: readonly string[]
}

/** Makes the function that opens sockets to receivers, over TLS or in plain text. */
export const openConnector = ({ certificateAuthorities }: ConnectorOptions = {}): Connect => {
  // One context for all sockets: reading the trusted certificates takes milliseconds.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(certificateAuthorities && { ca: [...rootCertificates, ...certificateAuthorities] }),
  })

  const received = Buffer.allocUnsafeSlow(receivedBytes)

  return ({ hostname, port, secure, addresses }, onBytes, done) => {
    const options = {
      onread: {
        buffer: received,
        callback: (length: number) => {
          onBytes(received.subarray(0, length))
          return true
        },
      },
      host: hostname,
      port,
      lookup: pinnedTo(addresses),
      autoSelectFamily: true,
      // Node's default of 250 ms would give up on receivers that are merely far away.
      autoSelectFamilyAttemptTimeout: 1_000,
      noDelay: true,
    }
    const socket = secure
      ? connectSecure({
          ...options,
          secureContext,
          servername: isIP(hostname) === 0 ? hostname : '',
          rejectUnauthorized: true, // Said aloud: without it an environment variable could switch it off.
          ALPNProtocols: ['http/1.1'],
        })
      : connectPlain(options)
    let isReachable = false
    let finished = false
    const finish = (failure: Error | null): void => {
      if (finished) return
      finished = true
      if (failure !== null) socket.destroy()
      done(failure, failure === null ? socket : null)
    }
    socket.once('connect', () => {
      isReachable = true
      // A host that is an address skips the pinned lookup, so the socket's own address is checked too.
      const { remoteAddress } = socket
      if (remoteAddress === undefined) finish(connectFailure('CONNECTION'))
      else if (!isAmong(addresses, remoteAddress)) finish(connectFailure('BLOCKED_ADDRESS'))
      else if (!secure) finish(null)
    })
    socket.once('secureConnect', () => finish(null))
    socket.on('error', (error) => finish(connectFailure(attemptErrorOf(error, secure && isReachable), error)))
    return socket
  }
}

const receivedBytes = 64 * 1024

/** Maps an error of a connection to the error of an attempt. */
export const attemptErrorOf = (error: Error, inHandshake = false): AttemptError => {
  const { attemptError, code = '', errno } = error as Error & Partial<Details>
  if (attemptError !== undefined) return attemptError
  if (code === 'ETIMEDOUT') return 'TIMEOUT'
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'TLS'
  // Errors of the operating system carry a number; anything else that ends a handshake is a certificate we do not accept.
  return inHandshake && errno === undefined && code !== 'ECONNRESET' ? 'TLS' : 'CONNECTION'
}

type Details = { readonly attemptError: AttemptError; readonly code: string; readonly errno: number }

const connectFailure = (attemptError: AttemptError, cause?: Error): Error =>
  Object.assign(new Error(`the connection failed: ${attemptError}`, { cause }), { attemptError })

/** Answers every lookup of a socket with the vetted addresses, so that DNS gets no chance to give a second answer. */
export const pinnedTo =
  (addresses: readonly Address[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    if (all) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
