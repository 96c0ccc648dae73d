import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** The certificate that we show to banks, with its key. */
export type ListenerIdentity = {
  readonly current: () => { readonly cert: Buffer; readonly key: Buffer }
  /** Reads the files once more. Throws where what is in them cannot be used, and goes on with what there was. */
  readonly refresh: () => void
}

/** Reads certificate and key from files, which a renewal replaces while the service runs. */
export const openListenerIdentity = (files: {
  readonly certFile: string
  readonly keyFile: string
}): ListenerIdentity => {
  const read = () => {
    const pair = { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) }
    // Certificate and key are renewed one after the other: between them they do not fit.
    createSecureContext(pair)
    return pair
  }
  let current = read()
  return {
    current: () => current,
    refresh: () => {
      current = read()
    },
  }
}
