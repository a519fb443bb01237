/** The last value of a parameter that is written as `--name x` or `--name=x` under one of these names, and the parameters without it. */
export function takenParameter(parameters: readonly string[], ...names: readonly string[]) {
  const rest: string[] = [];
  let given: string | undefined;
  for (let at = 0; at < parameters.length; at++) {
    const parameter = parameters[at]!;
    const name = names.find((one) => parameter === one || parameter.startsWith(`${one}=`));
    if (name === undefined) rest.push(parameter);
    else given = parameter === name ? parameters[++at] : parameter.slice(name.length + 1);
  }
  return { given, rest };
}
