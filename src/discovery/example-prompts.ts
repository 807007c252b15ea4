import { PROMPTS, exampleArguments } from '../operations/prompts.ts'

/** The example prompts as Markdown, filled with their example arguments. */
export const examplePrompts = (): string => `# Example prompts

Three prompts to give to an agent that is connected to this service. They are offered over MCP as well, with the arguments named here.
${PROMPTS.map(
  (prompt) => `
## ${prompt.title}

${prompt.description}

MCP prompt \`${prompt.name}\`, which may be given ${prompt.arguments.map(({ name }) => `\`${name}\``).join(', ')}.

> ${prompt.text(exampleArguments(prompt))}
`,
).join('')}`
