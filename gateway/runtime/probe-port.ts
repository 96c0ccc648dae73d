import { freePort } from '../base/free-port.ts'
import { CommandFailure } from '../operator/command-line/service.ts'

/**
 * Finds out whether a port can be listened on, before anything is opened: the native transport cannot say why not, and cannot share a
 * port that the system chose for a single thread. Resolves to the port, for 0 to a free one. Throws `CommandFailure`, which names the
 * setting.
 */
export const probePort = async (
  setting: 'PORT' | 'ADMIN_PORT' | 'PROVIDER_PORT',
  host: string,
  port: number,
): Promise<number> => {
  try {
    return await freePort(host, port)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new CommandFailure(reasonOf(code, setting, host, port) ?? message)
  }
}

const reasonOf = (code: string, setting: string, host: string, port: number): string | undefined =>
  ({
    EADDRINUSE: `${setting}=${port} is in use on ${host}: end the process that listens there, or set another port`,
    EACCES: `${setting}=${port} is only for root: set a port from 1024 on`,
    EADDRNOTAVAIL: `HOST=${host} is not an address of this machine`,
    ENOTFOUND: `HOST=${host} is not a name that this machine knows`,
    EAI_AGAIN: `HOST=${host} cannot be looked up now`,
  })[code]
