import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  existsSync,
  readdirSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const PARTS = [
  'src',
  'durable-objects',
  'wrangler.toml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const NODE = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']

export interface CommandRun {
  code: number | null
  output: string
}

/**
 * Runs what follows at a terminal of its own: prints what it prints, and types each answer once its question is there.
 * A text that also stands in a heading is no question: keys that are typed before the question listens are changed by
 * the terminal. argv: the answers as JSON, then the command.
 */
const AT_TERMINAL = `
import fcntl, json, os, pty, signal, struct, sys, termios
answers = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    # So wide that no question is broken into lines.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 400, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
# A question that has no answer here would wait for ever, also after its test.
signal.alarm(280)
# The window is closed: the command is told so, and its end is waited for.
signal.signal(signal.SIGHUP, lambda *_: os.close(terminal))
seen = ''
while True:
    try:
        read = os.read(terminal, 65536)
    except OSError:
        break
    if not read:
        break
    sys.stdout.buffer.write(read)
    sys.stdout.flush()
    seen += read.decode('utf-8', 'replace')
    if answers and answers[0][0] in seen:
        os.write(terminal, answers.pop(0)[1].encode())
        seen = ''
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

export type Clone = ReturnType<typeof freshClone>

/** A clone of this repository as a newcomer has it, with a home folder of its own and nothing of this machine's sign-ins. */
export function freshClone() {
  const folder = mkdtempSync(join(tmpdir(), 'connector-clone-'))
  const root = join(folder, 'connector')
  const home = join(folder, 'home')
  for (const made of [root, home]) mkdirSync(made)
  for (const part of PARTS) cpSync(join(REPOSITORY, part), join(root, part), { recursive: true })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
  /** Hardly anything of this machine, and a place for compiled modules, one for all clones: wrangler alone is 15 MB of them. */
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled'),
  }
  return {
    root,
    home,
    environment,
    /** Runs a command of package.json, with this environment besides its own. `signal` may interrupt it. */
    run(
      command: 'deploy' | 'setup' | 'backup' | 'restore' | 'demo',
      args: string[],
      env: Record<string, string>,
      {
        stdin = '',
        started,
        answers,
      }: {
        stdin?: string
        /** SIGHUP closes the window of a terminal. */
        started?: (interrupt: (signal?: 'SIGINT' | 'SIGKILL' | 'SIGHUP') => void) => void
        /** Runs it at a terminal: what is typed there, each after a text that shows the question. */
        answers?: [question: string, keys: string][]
      } = {},
    ): Promise<CommandRun> {
      const run = [process.execPath, ...NODE, join(root, 'src/cli', `${command}.ts`), ...args]
      const [program, ...given] = answers
        ? ['python3', '-c', AT_TERMINAL, JSON.stringify(answers), ...run]
        : run
      const child = spawn(program!, given, {
        cwd: root,
        env: { ...environment, ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      })
      child.stdin.on('error', () => {})
      child.stdin.end(stdin)
      const chunks: Buffer[] = []
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      // The whole group, as Ctrl+C at a terminal does it.
      started?.((signal = 'SIGINT') => process.kill(-child.pid!, signal))
      return new Promise((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }))
      })
    },
    read: (path: string) =>
      existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined,
    /** All files that a run may have left: those of the clone that git would not know, and of the home folder. */
    leftBehind(): string[] {
      const own = readdirSync(root).filter((name) => ![...PARTS, 'node_modules'].includes(name))
      return [...own.flatMap((name) => filesIn(join(root, name))), ...filesIn(home)].map((file) =>
        file.slice(folder.length + 1),
      )
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return []
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return [path]
  }
}
