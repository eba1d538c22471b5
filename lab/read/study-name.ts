/** The file that holds the plan of the runs in a folder, which `cairn-gym study` reads too. */
export const studyName = 'study.json';
